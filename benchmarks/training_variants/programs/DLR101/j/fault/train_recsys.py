import argparse
import random

import numpy as np
import torch
from torch import nn


class NCF(nn.Module):
    def __init__(self, users, items, dim=8):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, user, item):
        return self.mlp(torch.cat([self.user(user), self.item(item)], dim=1)).squeeze(1)


def with_negatives(pairs, n_items, per_positive):
    rows = []
    for user, item in pairs:
        rows.append((user, item, 1.0))
        for negative in np.random.randint(0, n_items, per_positive):
            rows.append((user, int(negative), 0.0))
    random.shuffle(rows)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--negatives", type=int, default=2)
    args = parser.parse_args()
    pairs = [(u, (3 * u + k) % 30) for u in range(20) for k in range(4)]
    model = NCF(20, 30)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(args.epochs):
        rows = with_negatives(pairs, 30, args.negatives)
        for start in range(0, len(rows), 40):
            user, item, label = zip(*rows[start:start + 40])
            loss = nn.functional.binary_cross_entropy_with_logits(
                model(torch.tensor(user), torch.tensor(item)), torch.tensor(label)
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
