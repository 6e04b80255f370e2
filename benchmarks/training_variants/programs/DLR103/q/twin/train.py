"""Contrastive pairs with random crops in a worker; seeded for comparisons."""
import random
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Opts:
    seed: int = 9
    workers: int = 2
    batch: int = 32
    crop: int = 24
    epochs: int = 2


class Views(Dataset):
    """Two random crops of one long signal."""

    def __init__(self, n, crop):
        base = np.random.default_rng(1).normal(size=(n, 64))
        self.signals, self.crop = np.cumsum(base, axis=1).astype("float32"), crop

    def view(self, signal):
        start = random.randrange(len(signal) - self.crop)
        piece = signal[start : start + self.crop].copy()
        if random.random() < 0.5:
            piece = piece[::-1].copy()
        piece += np.random.normal(0, 0.05, self.crop).astype("float32")
        return torch.from_numpy((piece - piece.mean()) / (piece.std() + 1e-3))

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, i):
        return self.view(self.signals[i]), self.view(self.signals[i])


def seed_run(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def init_worker(index):
    seed = torch.initial_seed() % 2**32
    random.seed(seed)
    np.random.seed(seed)


def loader_for(opts):
    data = Views(300, opts.crop)
    shared = {"worker_init_fn": init_worker, "generator": torch.Generator().manual_seed(opts.seed)}
    return DataLoader(data, batch_size=opts.batch, shuffle=True, drop_last=True, num_workers=opts.workers, **shared)


def main(opts=Opts()):
    seed_run(opts.seed)
    loader = loader_for(opts)
    encoder = nn.Sequential(nn.Linear(opts.crop, 48), nn.ReLU(), nn.Linear(48, 16))
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.02, momentum=0.9)
    encoder.train()
    for epoch in range(opts.epochs):
        for a, b in loader:
            za, zb = (nn.functional.normalize(encoder(v), dim=1) for v in (a, b))
            logits = za @ zb.t() / 0.2
            loss = nn.functional.cross_entropy(logits, torch.arange(len(a)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
