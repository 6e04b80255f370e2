"""Accumulate gradients over a fixed number of batches; each epoch starts clean."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_data(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 1, 20, generator=gen)
    return TensorDataset(x, x.amax(dim=2) - x.amin(dim=2))


class RangeNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, width, 3), nn.ReLU(), nn.Conv1d(width, width, 3), nn.ReLU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.conv(x).amax(dim=2))


class Accumulator:
    """Applies an update after every `every` calls."""

    def __init__(self, optimizer, every):
        self.optimizer, self.every, self.count, self.updates = optimizer, every, 0, 0

    def reset(self):
        self.count = 0
        self.optimizer.zero_grad()

    def __call__(self, loss):
        loss.backward()
        self.count += 1
        if self.count % self.every == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.updates += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulation-steps", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(44)
    model = RangeNet(12)
    before = model.out.weight.detach().clone()
    accumulate = Accumulator(torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9), args.accumulation_steps)
    loader = DataLoader(build_data(640, 1), batch_size=16, shuffle=True)
    model.train()
    for _ in range(args.epochs):
        accumulate.reset()
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            accumulate(loss)
    travelled = (model.out.weight.detach() - before).norm().item()
    print(f"{accumulate.updates} updates, last loss {loss.item():.4f}, head travelled {travelled:.3f}")


if __name__ == "__main__":
    main()
