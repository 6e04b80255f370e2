"""Materialise a model that was built on the meta device; the optimizer is set up by the trainer's constructor."""
import argparse

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


def make_model(dim, depth):
    return nn.Sequential(nn.Linear(32, dim), *[Block(dim) for _ in range(depth)], nn.Linear(dim, 1))


def reset(module):
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()


class BigTrainer:
    def __init__(self, args):
        with torch.device("meta"):
            self.model = make_model(args.dim, args.depth)
        self.model.to_empty(device="cuda")
        self.model.apply(reset)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr, weight_decay=0.01)

    def step(self, x, y):
        self.model.train()
        loss = nn.functional.mse_loss(self.model(x), y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=1024)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--lr", type=float, default=3e-4)
    args = parser.parse_args()
    torch.manual_seed(0)
    trainer = BigTrainer(args)
    for step in range(args.steps):
        x = torch.randn(256, 32, device="cuda")
        loss = trainer.step(x, x[:, :4].prod(dim=1, keepdim=True))
        if step % 100 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
