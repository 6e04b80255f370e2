"""Regression on wide tables with gradient accumulation over micro-batches."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_table(count, columns, seed):
    truth = torch.Generator().manual_seed(1234)
    weights = torch.randn(columns, 1, generator=truth) / columns**0.5
    cross = torch.randn(columns, 6, generator=truth) / columns**0.5
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, columns, generator=generator)
    y = 2 * x @ weights + torch.tanh(x @ cross).sum(1, keepdim=True) + 0.1 * torch.randn(count, 1, generator=generator)
    return TensorDataset(x, y)


class TableNet(nn.Module):
    def __init__(self, columns, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(columns, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.layers(x))


class AccumulatingTrainer:
    def __init__(self, model, args):
        self.model = model
        self.accumulate = args.accumulate
        self.optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
        self.criterion = nn.MSELoss()

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        self.optimizer.zero_grad()
        for number, (x, y) in enumerate(loader, start=1):
            loss = self.criterion(self.model(x), y)
            (loss / self.accumulate).backward()
            if number % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        return sum(self.criterion(self.model(x), y).item() for x, y in loader) / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--micro-batch", type=int, default=4)
    parser.add_argument("--accumulate", type=int, default=16)
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader = DataLoader(make_table(3200, args.columns, 1), args.micro_batch, shuffle=True)
    valid_loader = DataLoader(make_table(800, args.columns, 2), 400)
    trainer = AccumulatingTrainer(TableNet(args.columns, 64), args)
    for epoch in range(args.epochs):
        train_loss = trainer.train_epoch(train_loader)
        print(f"epoch {epoch}: train {train_loss:.4f}, valid {trainer.evaluate(valid_loader):.4f}")
    print(f"final valid loss {trainer.evaluate(valid_loader):.4f}")


if __name__ == "__main__":
    main()
