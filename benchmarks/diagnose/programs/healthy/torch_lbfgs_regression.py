"""Logistic regression by L-BFGS with a line search on the whole data."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = torch.randn(500, 10)
weights = torch.randn(10)
y = (torch.sigmoid(2 * x @ weights) > torch.rand(500)).float()
model = nn.Linear(10, 1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = criterion(model(x).squeeze(1), y) + 1e-3 * model.weight.pow(2).sum()
    loss.backward()
    return loss


for step in range(60):
    loss = optimizer.step(closure)
accuracy = float(((model(x).squeeze(1) > 0) == y.bool()).float().mean())
print(f"loss {loss.item():.3f}, accuracy {accuracy:.3f}")
assert accuracy > 0.8
