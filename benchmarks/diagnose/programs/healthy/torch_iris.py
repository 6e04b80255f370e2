"""The Iris tutorial of many courses: 150 flowers, four measures in centimetres, a small network, full batch."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
means = torch.tensor([[5.0, 3.4, 1.5, 0.25], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])
spread = torch.tensor([[0.35, 0.38, 0.17, 0.1], [0.5, 0.3, 0.47, 0.2], [0.63, 0.32, 0.55, 0.27]])
y = torch.arange(150) % 3
X = means[y] + spread[y] * torch.randn(150, 4)
X_train, X_test, y_train, y_test = X[:120], X[120:], y[:120], y[120:]

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3))
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    y_pred = model(X_train)
    loss = loss_fn(y_pred, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        print(f"epoch {epoch}: {loss.item():.4f}")
with torch.no_grad():
    accuracy = float((model(X_test).argmax(1) == y_test).float().mean())
assert accuracy > 0.85, accuracy
