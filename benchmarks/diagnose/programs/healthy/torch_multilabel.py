"""Several labels for each sample, some of them rare: a logit for each, with a weight for positive examples."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = torch.randn(2400, 16)
offsets = torch.tensor([0.0, -0.5, -1.0, -1.5, 0.5, -0.8])
y = (x @ torch.randn(16, 6) / 2 + offsets + 0.3 * torch.randn(2400, 6) > 0.5).float()
train, test = TensorDataset(x[:2000], y[:2000]), (x[2000:], y[2000:])
model = nn.Sequential(nn.Linear(16, 48), nn.LeakyReLU(), nn.Linear(48, 48), nn.LeakyReLU(), nn.Linear(48, 6))
positive = y[:2000].mean(0)
criterion = nn.BCEWithLogitsLoss(pos_weight=(1 - positive) / positive)
optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
for epoch in range(5):
    for inputs, targets in DataLoader(train, batch_size=40, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
with torch.no_grad():
    predicted = model(test[0]) > 0
    recall = float((predicted & test[1].bool()).sum() / test[1].sum())
    accuracy = float((predicted == test[1].bool()).float().mean())
print(f"recall {recall:.3f}, accuracy {accuracy:.3f}")
assert recall > 0.85
assert accuracy > 0.85
