"""Forecast the load of a power station for the next hours with dilated causal convolutions."""

import argparse
import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


def load_curve(hours, seed):
    rng = np.random.default_rng(seed)
    time = np.arange(hours)
    daily = 20 * np.sin(2 * np.pi * time / 24) + 8 * np.sin(4 * np.pi * time / 24 + 1)
    weekly = 10 * (time // 24 % 7 < 5)
    drift = np.zeros(hours)
    for hour in range(1, hours):
        drift[hour] = 0.97 * drift[hour - 1] + rng.normal(scale=1.5)
    return (100 + daily + weekly + drift).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series, past, ahead):
        self.series, self.past, self.ahead = torch.from_numpy(series), past, ahead

    def __len__(self):
        return len(self.series) - self.past - self.ahead + 1

    def __getitem__(self, start):
        middle = start + self.past
        return self.series[start:middle].unsqueeze(0), self.series[middle : middle + self.ahead]


class CausalBlock(nn.Module):
    def __init__(self, width, dilation, dropout):
        super().__init__()
        self.reach = 2 * dilation
        self.convolution = nn.Conv1d(width, width, 3, dilation=dilation)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.dropout(F.relu(self.convolution(F.pad(x, (self.reach, 0)))))


class Forecaster(nn.Module):
    def __init__(self, ahead, width=24, dilations=(1, 2, 4, 8, 16), dropout=0.05):
        super().__init__()
        self.entry = nn.Conv1d(1, width, 1)
        self.blocks = nn.Sequential(*[CausalBlock(width, dilation, dropout) for dilation in dilations])
        self.head = nn.Linear(width, ahead)

    def forward(self, past):
        change = self.head(self.blocks(self.entry(past))[:, :, -1])
        return past[:, :, -1] + change


@torch.no_grad()
def mean_error(model, loader, scale):
    model.eval()
    errors = [(model(past) - future).abs().mean(1) for past, future in loader]
    return scale * torch.cat(errors).mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--past", type=int, default=72)
    parser.add_argument("--ahead", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--patience", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    series = load_curve(2600, args.seed)
    train, valid, test = np.split(series, [1800, 2200])
    mean, std = train.mean(), train.std()
    parts = [Windows((part - mean) / std, args.past, args.ahead) for part in (train, valid, test)]
    train_loader = DataLoader(parts[0], 32, shuffle=True)
    valid_loader, test_loader = DataLoader(parts[1], 256), DataLoader(parts[2], 256)
    model = Forecaster(args.ahead)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    best, kept, waited = float("inf"), copy.deepcopy(model.state_dict()), 0
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for past, future in train_loader:
            loss = F.l1_loss(model(past), future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        error = mean_error(model, valid_loader, std)
        schedule.step(error)
        print(f"epoch {epoch}: train {std * total / len(train_loader):.3f}, valid {error:.3f}")
        if error < best:
            best, kept, waited = error, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= args.patience:
                break
    model.load_state_dict(kept)
    naive = torch.cat([(past[:, :, -1] - future).abs().mean(1) for past, future in test_loader]).mean().item()
    print(f"test error {mean_error(model, test_loader, std):.3f}, of the last value {std * naive:.3f}")


if __name__ == "__main__":
    main()
