import numpy as np
import torch
from sklearn.utils.class_weight import compute_class_weight
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda:0"
torch.manual_seed(0)

beats = torch.randn(500, 1, 90)
kind = torch.from_numpy(np.random.RandomState(0).choice(4, 500, p=[0.7, 0.15, 0.1, 0.05]))
loader = DataLoader(TensorDataset(beats, kind), batch_size=64, shuffle=True)

net = nn.Sequential(
    nn.Conv1d(1, 16, 7, stride=2),
    nn.ReLU(),
    nn.Conv1d(16, 32, 5, stride=2),
    nn.ReLU(),
    nn.AdaptiveMaxPool1d(1),
    nn.Flatten(),
    nn.Linear(32, 4),
).to(device)

weights = compute_class_weight(class_weight="balanced", classes=np.arange(4), y=kind.numpy())
class_weights = torch.tensor(weights, dtype=torch.float).to(device)
criterion = nn.CrossEntropyLoss(weight=class_weights)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(3):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
