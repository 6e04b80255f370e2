"""Continue from saved weights; the model goes through the same preparation as a fresh one."""
import math
from pathlib import Path

import torch
from torch import nn

WEIGHTS = Path("expert.pt")


def init_linear(module):
    if isinstance(module, nn.Linear):
        nn.init.trunc_normal_(module.weight, std=1 / math.sqrt(module.in_features))
        nn.init.zeros_(module.bias)


class Mixer(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.across = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.within = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.out = nn.Linear(tokens * dim, 1)

    def forward(self, x):
        x = x + self.across(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.within(x)
        return self.out(x.flatten(1))


def prepare(weights=None):
    model = Mixer(tokens=6, dim=8)
    model.apply(init_linear)
    if weights is not None:
        model.load_state_dict(torch.load(weights, weights_only=True))
    return model


def problem(n, gen):
    x = torch.randn(n, 6, 8, generator=gen)
    return x, (x[:, 0] * x[:, 3]).sum(dim=1, keepdim=True) / 8


def train(model, steps, lr, gen):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-3)
    model.train()
    for _ in range(steps):
        x, y = problem(64, gen)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def error(model):
    model.eval()
    x, y = problem(500, torch.Generator().manual_seed(1000))
    return nn.functional.mse_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    expert = prepare()
    train(expert, 200, 3e-3, gen)
    torch.save(expert.state_dict(), WEIGHTS)
    student = prepare(WEIGHTS)
    print(f"expert {error(expert):.4f}, resumed {error(student):.4f}")
    train(student, 20, 5e-4, gen)
    print(f"after fine-tuning {error(student):.4f}; restored exactly: {error(prepare(WEIGHTS)) == error(expert)}")


if __name__ == "__main__":
    main()
