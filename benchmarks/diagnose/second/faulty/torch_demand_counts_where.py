"""Forecast the hourly demand of bike stations with a deviance loss for counts."""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def simulate(count, seed):
    rng = np.random.default_rng(seed)
    hour = rng.integers(0, 24, count)
    weekend = rng.integers(0, 2, count)
    warmth = rng.normal(size=count)
    rain = rng.random(count) < 0.2
    is_open = (hour >= 5).astype(np.float64)
    rate = is_open * np.exp(0.3 + 0.8 * np.sin((hour - 7) / 24 * 2 * np.pi) - 0.5 * weekend + 0.4 * warmth - 1.0 * rain)
    demand = rng.poisson(rate)
    columns = [np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), weekend, warmth, rain, is_open]
    features = torch.tensor(np.stack(columns, 1), dtype=torch.float32)
    return TensorDataset(features, torch.tensor(demand, dtype=torch.float32))


class DemandNet(nn.Module):
    """Rates of demand; the last column tells whether the station is open, a closed one has no demand."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.rate = nn.Linear(hidden, 1)

    def forward(self, x):
        return F.softplus(self.rate(self.body(x))).squeeze(1) * x[:, -1]


class PoissonDeviance(nn.Module):
    def __init__(self, floor=1e-4):
        super().__init__()
        self.floor = floor

    def forward(self, rate, demand):
        log_rate = torch.where(rate > self.floor, torch.log(rate), torch.full_like(rate, float(np.log(self.floor))))
        return (rate - demand * log_rate).mean()


def run_epoch(model, loader, criterion, optimizer=None):
    total, error, count = 0.0, 0.0, 0
    model.train(optimizer is not None)
    for features, demand in loader:
        with torch.set_grad_enabled(optimizer is not None):
            rate = model(features)
            loss = criterion(rate, demand)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(demand)
        error += (rate - demand).abs().sum().item()
        count += len(demand)
    return total / count, error / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--hidden", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader = DataLoader(simulate(3000, args.seed), batch_size=100, shuffle=True)
    valid_loader = DataLoader(simulate(1000, args.seed + 1), batch_size=500)
    model = DemandNet(6, args.hidden)
    criterion = PoissonDeviance()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        train_loss, train_error = run_epoch(model, train_loader, criterion, optimizer)
        valid_loss, valid_error = run_epoch(model, valid_loader, criterion)
        print(f"{epoch:2d} train {train_loss:.4f} ({train_error:.3f}) valid {valid_loss:.4f} ({valid_error:.3f})")
    print(f"final valid deviance {valid_loss:.4f}")


if __name__ == "__main__":
    main()
