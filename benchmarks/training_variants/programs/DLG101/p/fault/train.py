"""Keypoint regression from heat maps; images arrive channels-last from the annotation tool."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Options:
    size: int = 24
    count: int = 320
    batch: int = 32
    epochs: int = 4
    lr: float = 2e-3


class Annotated(Dataset):
    def __init__(self, opts: Options, seed: int):
        rng = np.random.default_rng(seed)
        self.points = rng.uniform(4, opts.size - 4, (opts.count, 2)).astype(np.float32)
        grid = np.stack(np.meshgrid(np.arange(opts.size), np.arange(opts.size), indexing="ij"), -1)
        dist = ((grid[None] - self.points[:, None, None]) ** 2).sum(-1)
        blob = np.exp(-dist / 8.0)
        self.images = np.repeat(blob[..., None], 3, axis=-1).astype(np.float32)
        self.scale = opts.size

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        image = torch.from_numpy(self.images[i])
        image.permute(2, 0, 1)
        return image, torch.from_numpy(self.points[i]) / self.scale


def make_net():
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.LazyLinear(64), nn.ReLU(), nn.Linear(64, 2), nn.Sigmoid(),
    )


def main(opts=Options()):
    torch.manual_seed(0)
    loader = DataLoader(Annotated(opts, 0), batch_size=opts.batch, shuffle=True)
    net = make_net()
    net(next(iter(loader))[0])
    optimizer = torch.optim.Adam(net.parameters(), lr=opts.lr, betas=(0.9, 0.95))
    for epoch in range(opts.epochs):
        total = 0.0
        for image, point in loader:
            loss = nn.functional.l1_loss(net(image), point)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"{epoch}: mean error {opts.size * total / len(loader):.2f} px")


if __name__ == "__main__":
    main()
