"""Causal convolutions with weight normalisation for a toy sequence task."""
import torch
from torch import nn
from torch.nn.utils import weight_norm


class Causal(nn.Module):
    def __init__(self, n_in, n_out, kernel, dilation):
        super().__init__()
        self.pad = (kernel - 1) * dilation
        self.conv = weight_norm(nn.Conv1d(n_in, n_out, kernel, dilation=dilation))

    def forward(self, x):
        return torch.relu(self.conv(nn.functional.pad(x, (self.pad, 0))))


class TCN(nn.Module):
    def __init__(self, width=16, levels=3):
        super().__init__()
        self.levels = nn.Sequential(*[Causal(1 if i == 0 else width, width, 3, 2**i) for i in range(levels)])
        self.out = nn.Conv1d(width, 1, 1)

    def forward(self, x):
        return self.out(self.levels(x))


def delayed(n, gen):
    x = torch.randn(n, 1, 40, generator=gen)
    return x, nn.functional.pad(x, (4, 0))[..., :40]


def main(steps=80):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    model = TCN()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(steps):
        x, y = delayed(32, gen)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"last loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
