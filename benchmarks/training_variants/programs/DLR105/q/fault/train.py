"""Resume from a training checkpoint that holds more than the weights."""
import argparse
from pathlib import Path

import torch
from torch import nn


class Autoregressor(nn.Module):
    def __init__(self, order, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(order, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def tides(n, order, seed):
    gen = torch.Generator().manual_seed(seed)
    t = torch.arange(n + order) / 6
    level = torch.sin(t) + 0.4 * torch.sin(2.1 * t) + 0.05 * torch.randn(n + order, generator=gen)
    frames = level.unfold(0, order + 1, 1)
    return frames[:, :-1], frames[:, -1:]


def save(path, model, optimizer, epoch):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


def restore(path, model, optimizer):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint)
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


def epochs(model, optimizer, data, first, last, path):
    x, y = data
    model.train()
    for epoch in range(first, last):
        for index in torch.randperm(len(x)).split(50):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[index]), y[index])
            loss.backward()
            optimizer.step()
        save(path, model, optimizer, epoch)
        print(f"epoch {epoch}: {loss.item():.5f}")


def fresh(args):
    model = Autoregressor(args.order, 32)
    return model, torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.99))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--order", type=int, default=20)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--path", type=Path, default=Path("tides.pt"))
    args = parser.parse_args()
    torch.manual_seed(0)
    data = tides(1000, args.order, seed=1)
    epochs(*fresh(args), data, 0, 3, args.path)
    model, optimizer = fresh(args)
    start = restore(args.path, model, optimizer)
    epochs(model, optimizer, data, start, start + 2, args.path)


if __name__ == "__main__":
    main()
