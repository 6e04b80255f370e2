"""Adapt a two-tower network: the user tower stays, the item tower learns."""

import argparse
from itertools import islice

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.table = nn.Embedding(n, dim)
        self.mix = nn.Linear(dim, dim)

    def forward(self, ids):
        return nn.functional.normalize(self.mix(self.table(ids)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, users=60, items=80, dim=16):
        super().__init__()
        self.towers = nn.ModuleDict({"user": Tower(users, dim), "item": Tower(items, dim)})
        self.scale = nn.Parameter(torch.tensor(5.0))

    def forward(self, users, items):
        return self.scale * (self.towers["user"](users) * self.towers["item"](items)).sum(-1)


def set_trainable(module, flag):
    for weight in module.parameters():
        weight.requires_grad = flag
    return sum(w.numel() for w in module.parameters() if w.requires_grad)


def clicks(seed=0):
    generator = torch.Generator().manual_seed(seed)
    while True:
        users = torch.randint(0, 60, (32,), generator=generator)
        items = torch.randint(0, 80, (32,), generator=generator)
        yield users, items, ((users + items) % 2).float()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--freeze", default="user", choices=["user", "item"])
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = TwoTower()
    print("trainable in", args.freeze, set_trainable(model.towers[args.freeze], False))
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-2)
    model.train()
    for step, (users, items, clicked) in enumerate(islice(clicks(), args.steps)):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(users, items), clicked)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f} trainable {sum(p.requires_grad for p in model.parameters())}")


if __name__ == "__main__":
    main()
