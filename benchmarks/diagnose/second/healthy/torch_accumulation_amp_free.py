"""Gradient accumulation with clipping, a warm-up and a linear decay."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def data(count, weights):
    x = torch.randn(count, 30)
    return TensorDataset(x, torch.tanh(x @ weights).sum(1, keepdim=True) + 0.1 * torch.randn(count, 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    weights = torch.randn(30, 5) / 4
    train_loader, valid_loader = DataLoader(data(2000, weights), 10, shuffle=True), DataLoader(data(400, weights), 400)
    model = nn.Sequential(nn.Linear(30, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    total = args.epochs * len(train_loader) // args.accumulate
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 20, max(0.0, (total - step) / (total - 20)))
    )
    for epoch in range(args.epochs):
        for number, (x, y) in enumerate(train_loader, start=1):
            (F.mse_loss(model(x), y) / args.accumulate).backward()
            if number % args.accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
        with torch.no_grad():
            valid = sum(F.mse_loss(model(x), y).item() for x, y in valid_loader)
        print(f"epoch {epoch}: valid {valid:.4f}")


if __name__ == "__main__":
    main()
