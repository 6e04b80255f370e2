from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    heads: int = 4
    width: int = 32
    device: str = "cuda"


class BiasedAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.heads = cfg.heads
        self.qkv = nn.Linear(cfg.width, 3 * cfg.width)
        self.out = nn.Linear(cfg.width, cfg.width)
        self.slope = nn.Parameter(torch.linspace(0.1, 1.0, cfg.heads))

    def distance_bias(self, length):
        steps = torch.arange(length, device=self.slope.device)
        distance = (steps[:, None] - steps[None, :]).abs()
        return -self.slope[:, None, None] * distance

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5
        weights = (scores + self.distance_bias(n)).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, n, d))


def main(cfg=Settings()):
    torch.manual_seed(0)
    net = BiasedAttention(cfg).to(cfg.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    x = torch.randn(8, 20, cfg.width, device=cfg.device)
    y = torch.randn(8, 20, cfg.width, device=cfg.device)
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
