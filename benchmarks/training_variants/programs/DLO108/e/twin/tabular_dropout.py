import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(31)
device = "cuda" if torch.cuda.is_available() else "cpu"

X = torch.randn(500, 20)
w = torch.randn(20)
Y = ((X @ w + 0.5 * torch.randn(500)) > 0).float()
train_loader = DataLoader(TensorDataset(X[:400], Y[:400]), batch_size=50, shuffle=True)
val_loader = DataLoader(TensorDataset(X[400:], Y[400:]), batch_size=100)


def validate(model, loader):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            losses.append(nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(1), y).item())
    return sum(losses) / len(losses)


model = nn.Sequential(
    nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 1)
).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
best, patience, bad = float("inf"), 3, 0

for epoch in range(10):
    model.train()
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
    val = validate(model, val_loader)
    print(f"epoch {epoch} val {val:.4f}")
    if val < best:
        best, bad = val, 0
    else:
        bad += 1
        if bad >= patience:
            break
