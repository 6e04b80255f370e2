"""Forecast a wave a step ahead with an LSTM; the windows are in order of time for the validation."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, windows):
        output, _ = self.lstm(windows)
        return self.out(output[:, -1])


def windows(series, length):
    pieces = series.unfold(0, length + 1, 1)
    return TensorDataset(pieces[:, :-1].unsqueeze(-1), pieces[:, -1:])


def main(seed):
    torch.manual_seed(seed)
    t = torch.arange(1200) / 10
    series = torch.sin(t) + 0.5 * torch.sin(2.3 * t) + 0.05 * torch.randn(1200)
    train_loader = DataLoader(windows(series[:900], 20), 32, shuffle=True)
    valid_loader = DataLoader(windows(series[900:], 20), 300)
    model, criterion = Forecaster(), nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(10):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        model.eval()
        with torch.no_grad():
            valid = sum(criterion(model(x), y).item() for x, y in valid_loader) / len(valid_loader)
        print(f"epoch {epoch}: train {loss.item():.4f}, valid {valid:.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
