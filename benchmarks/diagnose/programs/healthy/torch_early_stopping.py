"""Training with validation, early stopping and the best weights kept; dropout and decay against overfitting of little data."""

import copy
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = torch.randn(600, 20)
y = (x[:, :4].sum(1) + 0.5 * torch.randn(600) > 0).long()
train = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
validation = DataLoader(TensorDataset(x[300:450], y[300:450]), batch_size=50)
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.05)
best, best_state, waited = float("inf"), None, 0
for epoch in range(30):
    model.train()
    for inputs, labels in train:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val_loss = sum(criterion(model(inputs), labels).item() for inputs, labels in validation) / len(validation)
    if val_loss < best:
        best, best_state, waited = val_loss, copy.deepcopy(model.state_dict()), 0
    else:
        waited += 1
    if waited == 6:
        break
model.load_state_dict(best_state)
model.eval()
accuracy = float((model(x[450:]).argmax(1) == y[450:]).float().mean())
print(f"stopped after epoch {epoch}, best {best:.3f}, accuracy {accuracy:.3f}")
assert accuracy > 0.8
