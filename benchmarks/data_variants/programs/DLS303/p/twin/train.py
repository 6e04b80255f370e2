"""Letters by a network with a narrow last stage."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Shape:
    inputs: int = 20
    widths: tuple[int, ...] = (64, 32, 32)
    classes: int = 26


def build(shape):
    layers, last = [], shape.inputs
    for width in shape.widths:
        layers += [nn.Linear(last, width), nn.ReLU()]
        last = width
    return nn.Sequential(*layers, nn.Linear(last, shape.classes))


def letters(n, gen):
    y = torch.randint(0, 26, (n,), generator=gen)
    centres = 2 * torch.randn(26, 20, generator=torch.Generator().manual_seed(0))
    return centres[y] + torch.randn(n, 20, generator=gen), y


def main(steps=400):
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(15)
    model = build(Shape())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    model.train()
    for _ in range(steps):
        x, y = letters(64, gen)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    x, y = letters(1000, gen)
    with torch.no_grad():
        print("accuracy", round((model(x).argmax(1) == y).float().mean().item(), 3))


if __name__ == "__main__":
    main()
