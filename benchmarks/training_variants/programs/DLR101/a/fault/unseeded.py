import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from torch.utils.data import DataLoader, TensorDataset

wine = load_wine()
x = torch.tensor(wine.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(wine.target)

order = torch.randperm(len(x))
train_idx, test_idx = order[:140], order[140:]
train_loader = DataLoader(TensorDataset(x[train_idx], y[train_idx]), batch_size=20, shuffle=True)

model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(5):
    model.train()
    for features, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()

model.eval()
with torch.no_grad():
    accuracy = (model(x[test_idx]).argmax(1) == y[test_idx]).float().mean().item()
print(f"loss {loss.item():.6f} accuracy {accuracy:.4f}")
