"""Fit a small forecasting MLP on a synthetic energy-load series."""
import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_windows(length: int, window: int):
    t = torch.arange(length, dtype=torch.float32)
    load = torch.sin(2 * math.pi * t / 24) + 0.3 * torch.sin(2 * math.pi * t / 168) + 0.05 * torch.randn(length)
    frames = load.unfold(0, window + 1, 1)
    return frames[:, :-1], frames[:, -1:]


class Forecaster(nn.Module):
    def __init__(self, window: int, width: int):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(window, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x))


class Runner:
    def __init__(self, model, opts):
        self.model = model
        self.opts = opts
        self.optim = torch.optim.AdamW(model.parameters(), lr=opts.lr, weight_decay=1e-4)
        self.criterion = nn.SmoothL1Loss()

    def _prepare_update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.opts.max_norm)

    def step(self, x, y):
        self.optim.zero_grad(set_to_none=True)
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self._prepare_update()
        self.optim.step()
        return loss.item()

    def fit(self, loader):
        self.model.train()
        for epoch in range(self.opts.epochs):
            losses = [self.step(x, y) for x, y in loader]
            print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--window", type=int, default=48)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--max-norm", type=float, default=1.0)
    opts = parser.parse_args()
    torch.manual_seed(7)
    x, y = make_windows(3000, opts.window)
    loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    Runner(Forecaster(opts.window, 64), opts).fit(loader)


if __name__ == "__main__":
    main()
