import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear layer with a low-rank update."""

    def __init__(self, base: nn.Linear, rank=4, alpha=8.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.down.T @ self.up.T)


def inject(model, rank):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRALinear(child, rank))
        else:
            inject(child, rank)
    return model


def main():
    torch.manual_seed(0)
    model = inject(nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 2)), rank=2)
    tuned = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(tuned, lr=1e-2)
    x = torch.randn(64, 16)
    y = (x[:, 0] > x[:, 1]).long()
    for _ in range(25):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
