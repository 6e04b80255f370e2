import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(160, 20)
y = (x[:, 0] > 0).float().unsqueeze(1)
noisy = torch.where(torch.rand(160, 1) < 0.2, 1 - y, y)
train_loader = DataLoader(TensorDataset(x[:60], noisy[:60]), batch_size=20, shuffle=True)
val_x, val_y = x[60:], y[60:]

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

best_loss = float("inf")
best_state = copy.deepcopy(model.state_dict())
for epoch in range(30):
    model.train()
    for features, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()

    model.eval()
    with torch.no_grad():
        val_loss = criterion(model(val_x), val_y).item()
    if val_loss < best_loss:
        best_loss = val_loss
        best_state = copy.deepcopy(model.state_dict())

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    print(f"best {best_loss:.4f} restored {criterion(model(val_x), val_y).item():.4f}")
