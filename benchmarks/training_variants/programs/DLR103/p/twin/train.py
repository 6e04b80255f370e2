"""Train on randomly jittered signals with worker processes; the run is meant to be repeatable."""
import argparse
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Jittered(Dataset):
    def __init__(self, count, length=32):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 3, count)
        t = np.linspace(0, 1, length)
        self.signals = np.sin(2 * np.pi * (self.labels[:, None] + 1) * t).astype(np.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        shifted = np.roll(self.signals[i], np.random.randint(-4, 5))
        noisy = shifted * np.random.uniform(0.8, 1.2) + np.random.normal(0, 0.1, shifted.shape)
        return torch.from_numpy(noisy.astype(np.float32)), int(self.labels[i])


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def seed_worker(_):
    seed = torch.initial_seed() % 2**32
    np.random.seed(seed)
    random.seed(seed)


def make_loader(data, args):
    gen = torch.Generator().manual_seed(args.seed)
    return DataLoader(
        data, batch_size=args.batch, shuffle=True, num_workers=args.workers, worker_init_fn=seed_worker, generator=gen
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=123)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    set_seed(args.seed)
    loader = make_loader(Jittered(300), args)
    model = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    for epoch in range(args.epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
