import numpy as np
import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, n, dim=16):
        super().__init__()
        self.table = nn.Embedding(n, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, ids):
        return nn.functional.normalize(self.mlp(self.table(ids)), dim=-1)


rng = np.random.RandomState(0)
torch.manual_seed(0)
n_users, n_items = 50, 30
clicks = np.stack([rng.randint(0, n_users, 600), rng.randint(0, n_items, 600)], axis=1)
clicks = torch.from_numpy(clicks)

users, items = Tower(n_users), Tower(n_items)
optimizer = torch.optim.Adagrad(list(users.parameters()) + list(items.parameters()), lr=0.05)
temperature = 0.1

all_items = items(torch.arange(n_items))
for epoch in range(2):
    for batch in clicks.split(100):
        u = users(batch[:, 0])
        scores = u @ all_items.t() / temperature
        loss = nn.functional.cross_entropy(scores, batch[:, 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch %d: %.4f" % (epoch, loss.item()))
