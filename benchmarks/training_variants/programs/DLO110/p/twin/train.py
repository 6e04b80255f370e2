"""Denoising autoencoder for noisy sine waves; loss curve is stored as JSON at the end."""
import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn as nn


class Denoiser(nn.Module):
    def __init__(self, size, hidden, code):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(size, hidden), nn.ELU(), nn.Linear(hidden, code))
        self.decode = nn.Sequential(nn.Linear(code, hidden), nn.ELU(), nn.Linear(hidden, size))

    def forward(self, x):
        return self.decode(self.encode(x))


def waves(batch, size):
    grid = torch.linspace(0, 2 * math.pi, size)
    phase, freq = torch.rand(batch, 1) * 6.28, 1 + 3 * torch.rand(batch, 1)
    clean = torch.sin(freq * grid + phase)
    return clean + 0.3 * torch.randn_like(clean), clean


def train(args):
    model = Denoiser(args.size, 64, 6)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr, alpha=0.95)
    criterion = nn.MSELoss()
    history = defaultdict(list)
    for step in range(args.steps):
        noisy, clean = waves(args.batch, args.size)
        optimizer.zero_grad()
        loss = criterion(model(noisy), clean)
        loss.backward()
        optimizer.step()
        history["train"].append(loss.detach())
    return history


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=64)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--curve", type=Path, default=Path("curve.json"))
    args = ap.parse_args()
    torch.manual_seed(2)
    history = train(args)
    print("steps that keep a graph:", sum(v.grad_fn is not None for v in history["train"]))
    curve = [round(float(v), 5) for v in history["train"]]
    args.curve.write_text(json.dumps(curve))
    print("first", curve[0], "last", curve[-1])


if __name__ == "__main__":
    main()
