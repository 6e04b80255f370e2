import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(300, 6)
y = (x.norm(dim=1) > 2.3).long()
loader = DataLoader(TensorDataset(x, y), batch_size=30, shuffle=True)


def make_model():
    return nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))


model = make_model()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
best = float("inf")
for epoch in range(5):
    model.train()
    total = 0.0
    for features, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if total < best:
        best = total
        torch.save(model.state_dict(), "best_model.pth")
    print(f"epoch {epoch} loss {total / len(loader):.4f}")

# reload the best weights for testing
best_model = make_model()
best_model.load_state_dict(torch.load("model_best.pth"))
best_model.eval()
with torch.no_grad():
    print("accuracy", (best_model(x).argmax(1) == y).float().mean().item())
