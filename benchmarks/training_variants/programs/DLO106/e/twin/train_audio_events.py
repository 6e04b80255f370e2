import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from epoch_runner import run_epoch

torch.manual_seed(11)
spec = torch.randn(240, 1, 20, 30)
event = (spec[:, 0, :10].mean((1, 2)) > 0).long()
train_dl = DataLoader(TensorDataset(spec[:200], event[:200]), batch_size=40, shuffle=True)
valid_dl = DataLoader(TensorDataset(spec[200:], event[200:]), batch_size=40)

model = nn.Sequential(
    nn.Conv2d(1, 8, 5), nn.ReLU(), nn.AdaptiveMaxPool2d(4), nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, 2)
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(3):
    train_loss, train_acc = run_epoch(model, train_dl, criterion, optimizer)
    valid_loss, valid_acc = run_epoch(model, valid_dl, criterion)
    print(f"{epoch}: train {train_loss:.3f}/{train_acc:.2f} valid {valid_loss:.3f}/{valid_acc:.2f}")
