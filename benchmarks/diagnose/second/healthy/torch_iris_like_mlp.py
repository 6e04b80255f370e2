"""A plain classifier on a small table with a cosine schedule and early stopping."""

import sys

import torch
from torch import nn

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
torch.manual_seed(seed)
centres = 1.5 * torch.randn(4, 6)


def table(count):
    labels = torch.randint(4, (count,))
    return centres[labels] + torch.randn(count, 6), labels


x_train, y_train = table(600)
x_valid, y_valid = table(200)
mean, std = x_train.mean(0), x_train.std(0)
x_train, x_valid = (x_train - mean) / std, (x_valid - mean) / std

model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=40)
criterion = nn.CrossEntropyLoss()
best, patience = float("inf"), 0
for epoch in range(40):
    model.train()
    for rows in torch.randperm(len(x_train)).split(50):
        optimizer.zero_grad()
        loss = criterion(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        valid = criterion(model(x_valid), y_valid).item()
        accuracy = (model(x_valid).argmax(1) == y_valid).float().mean().item()
    if valid < best - 1e-4:
        best, patience = valid, 0
    else:
        patience += 1
    if patience >= 10:
        break
print(f"stopped after epoch {epoch}, best validation loss {best:.4f}, accuracy {accuracy:.3f}")
