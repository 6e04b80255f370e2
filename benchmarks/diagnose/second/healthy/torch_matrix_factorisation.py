"""Recommend items with embeddings of users and items; ratings are held out at random."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
USERS, ITEMS, RANK = 120, 80, 3
taste, quality = torch.randn(USERS, RANK), torch.randn(ITEMS, RANK)
user, item = torch.randint(USERS, (5000,)), torch.randint(ITEMS, (5000,))
rating = 3 + (taste[user] * quality[item]).sum(1) / RANK**0.5 + 0.2 * torch.randn(5000)


class Factors(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.user, self.item = nn.Embedding(USERS, rank), nn.Embedding(ITEMS, rank)
        self.user_bias, self.item_bias = nn.Embedding(USERS, 1), nn.Embedding(ITEMS, 1)
        self.mean = nn.Parameter(torch.tensor(0.0))
        for table in (self.user, self.item, self.user_bias, self.item_bias):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, users, items):
        match = (self.user(users) * self.item(items)).sum(1)
        return self.mean + match + self.user_bias(users).squeeze(1) + self.item_bias(items).squeeze(1)


model = Factors(6)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-4)
for epoch in range(15):
    for rows in torch.randperm(4000).split(100):
        loss = F.mse_loss(model(user[rows], item[rows]), rating[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = F.mse_loss(model(user[4000:], item[4000:]), rating[4000:]).sqrt().item()
    if epoch % 3 == 2:
        print(f"epoch {epoch}: train {loss.item():.3f}, held-out error {error:.3f}")
