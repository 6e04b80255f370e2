"""Custom activation with a hand-written gradient, used in a small regressor."""
import torch
from torch import nn


class SquarePlusFn(torch.autograd.Function):
    """(x + sqrt(x * x + b)) / 2, with its derivative in closed form."""

    @staticmethod
    def forward(ctx, x, b):
        root = torch.sqrt(x * x + b)
        ctx.b = b
        ctx.save_for_backward(x, root)
        return 0.5 * (x + root)

    @staticmethod
    def backward(ctx, grad):
        x, root = ctx.saved_tensors
        return grad * 0.5 * (1 + x / root), None


class SquarePlus(nn.Module):
    def __init__(self, b=4.0):
        super().__init__()
        self.b = b

    def forward(self, x):
        return SquarePlusFn.apply(x, self.b)


def regressor(width):
    return nn.Sequential(nn.Linear(3, width), SquarePlus(), nn.Linear(width, width), SquarePlus(), nn.Linear(width, 1))


def saddle(n, gen):
    x = torch.rand(n, 3, generator=gen) * 2 - 1
    return x, (x[:, :1] ** 2 - x[:, 1:2] ** 2) + x[:, 2:]


def main(steps=200):
    torch.manual_seed(91)
    gen = torch.Generator().manual_seed(92)
    model = regressor(24)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.99))
    model.train()
    for step in range(1, steps + 1):
        x, y = saddle(64, gen)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"{step}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
