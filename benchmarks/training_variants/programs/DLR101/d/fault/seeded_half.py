import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)


def polygons(n):
    sides = np.random.randint(3, 7, n)
    angles = np.sort(np.random.rand(n, 6) * 2 * np.pi, axis=1)
    angles[np.arange(6)[None] >= sides[:, None]] = 0
    return torch.tensor(angles, dtype=torch.float32), torch.tensor(sides - 3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=123)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    set_seed(args.seed)

    x, y = polygons(200)
    loader = DataLoader(TensorDataset(x, y), batch_size=25, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(args.epochs):
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            optimizer.step()
    print("last loss", loss.item())


if __name__ == "__main__":
    main()
