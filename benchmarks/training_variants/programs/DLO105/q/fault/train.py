"""Object counting by density maps; evaluation reports the absolute error of counts."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Args:
    size: int = 32
    steps: int = 60
    batch: int = 16
    lr: float = 1e-3


def crowd(n, size, gen):
    maps = (torch.rand(n, 1, size, size, generator=gen) < 0.01).float()
    blur = torch.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]])[None, None] / 16
    density = nn.functional.conv2d(maps, blur, padding=1)
    image = density * 4 + 0.1 * torch.randn(density.shape, generator=gen)
    return image, density


class Counter(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        layers, last = [], 1
        for dilation in (1, 2, 1):
            layers += [nn.Conv2d(last, width, 3, padding=dilation, dilation=dilation), nn.ReLU()]
            last = width
        self.layers = nn.Sequential(*layers, nn.Conv2d(width, 1, 1))

    def forward(self, x):
        return self.layers(x)


def mean_count_error(model, gen, args):
    model.eval()
    with torch.no_grad:
        image, density = crowd(64, args.size, gen)
        error = (model(image).sum((1, 2, 3)) - density.sum((1, 2, 3))).abs().mean()
    model.train()
    return error.item()


def main(args=Args()):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(4)
    model = Counter()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    model.train()
    for step in range(1, args.steps + 1):
        image, density = crowd(args.batch, args.size, gen)
        loss = 100 * nn.functional.mse_loss(model(image), density)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step}: count error {mean_count_error(model, gen, args):.2f}")


if __name__ == "__main__":
    main()
