import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import Engine


def build_regressor(in_features, hidden):
    return nn.Sequential(nn.Linear(in_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--hidden", type=int, default=64)
    args = parser.parse_args()

    torch.manual_seed(1)
    x = torch.randn(512, 12)
    y = x[:, 0] * 2 - x[:, 3] + 0.1 * torch.randn(512)
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)

    model = build_regressor(12, args.hidden)
    engine = Engine(model, torch.optim.Adam(model.parameters(), lr=args.lr), nn.MSELoss(), clip=1.0)
    for epoch, value in enumerate(engine.fit(loader, args.epochs)):
        print(epoch, f"{value:.5f}")


if __name__ == "__main__":
    main()
