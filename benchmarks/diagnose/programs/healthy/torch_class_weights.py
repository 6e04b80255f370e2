"""A rare class (one sample in twenty) is given its weight in the loss, and is found."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
y = (torch.rand(3000) < 0.05).long()
x = torch.randn(3000, 12) + 1.6 * y[:, None] * torch.tensor([1.0, -1, 1, -1] * 3)
counts = torch.bincount(y[:2400], minlength=2)
model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
criterion = nn.CrossEntropyLoss(weight=len(y) / (2 * counts))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(5):
    for inputs, labels in DataLoader(TensorDataset(x[:2400], y[:2400]), batch_size=48, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
with torch.no_grad():
    predicted = model(x[2400:]).argmax(1)
    recalls = [float((predicted[y[2400:] == label] == label).float().mean()) for label in range(2)]
print(f"recall {recalls[0]:.3f} and {recalls[1]:.3f}")
assert min(recalls) > 0.8
