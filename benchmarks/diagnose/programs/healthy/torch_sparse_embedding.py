"""Matrix factorisation with sparse gradients: most rows of the tables are not touched in a step."""

import sys

import torch
from torch import nn


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, factors=6):
        super().__init__()
        self.users, self.items = nn.Embedding(users, factors, sparse=True), nn.Embedding(items, factors, sparse=True)
        nn.init.normal_(self.users.weight, std=0.5)
        nn.init.normal_(self.items.weight, std=0.5)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
tastes, kinds = torch.randn(100, 3), torch.randn(150, 3)
user, item = torch.randint(0, 100, (9000,)), torch.randint(0, 150, (9000,))
rating = (tastes[user] * kinds[item]).sum(1) / 3**0.5 + 0.1 * torch.randn(9000)
model = MatrixFactorization(100, 150)
optimizer = torch.optim.SparseAdam(model.parameters(), lr=0.02)
for epoch in range(5):
    for at in torch.randperm(8000).split(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(user[at], item[at]), rating[at])
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = float(nn.functional.mse_loss(model(user[8000:], item[8000:]), rating[8000:]) / rating.var())
print(f"share of the variance that is left: {error:.3f}")
assert error < 0.3
