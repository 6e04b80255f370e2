"""Modules with a length, a truth value, an equality and attributes of their own."""

import torch
from torch import nn


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.ModuleList()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __getattr__(self, name):
        if name == "answer":
            return 42
        return super().__getattr__(name)

    def __eq__(self, other):
        return isinstance(other, Bag) and len(other) == len(self)

    def __hash__(self):
        return hash(len(self))

    def __bool__(self):
        raise TypeError("no truth value")

    def forward(self, x):
        for item in self.items:
            x = item(x)
        return x


class Batch(dict):
    def __getattr__(self, name):
        return self[name]

    def __eq__(self, other):
        raise TypeError("not comparable")


torch.manual_seed(0)
bag = Bag()
for _ in range(2):
    bag.items.append(nn.Linear(4, 4))
    bag.items.append(nn.Tanh())
optimizer = torch.optim.NAdam(bag.parameters(), lr=0.01)
for step in range(30):
    batch = Batch(x=torch.randn(16, 4))
    loss = nn.functional.huber_loss(bag(batch.x), batch.x.flip(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), bag.answer, len(bag))
