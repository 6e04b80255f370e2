"""Predict the wear of valves from few noisy tests, with early stopping that keeps the best weights."""

import argparse
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CHANNELS = 24


def tests(count, generator, noise):
    """Wear depends on a few channels; the measured wear is noisy."""
    rows = torch.randn(count, CHANNELS, generator=generator)
    wear = torch.sin(2 * rows[:, 0]) + rows[:, 1] * rows[:, 2] + 0.5 * rows[:, 3]
    return TensorDataset(rows, wear + noise * torch.randn(count, generator=generator))


class EarlyStopping:
    """Keeps the weights with the lowest loss and says when it has not fallen for a while."""

    def __init__(self, patience, least_change=1e-4):
        self.patience, self.least_change = patience, least_change
        self.best, self.best_epoch, self.waited, self.weights = float("inf"), -1, 0, None

    def update(self, loss, epoch, model):
        if loss < self.best - self.least_change:
            self.best, self.best_epoch, self.waited = loss, epoch, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience

    def restore(self, model):
        model.load_state_dict(self.weights)


class History(dict):
    """Numbers of each epoch, by name."""

    def log(self, **numbers):
        for name, number in numbers.items():
            self.setdefault(name, []).append(number)

    def last(self, name):
        return self[name][-1]


class WearModel(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers = [nn.Linear(CHANNELS, width), nn.ReLU()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, rows):
        return self.layers(rows).squeeze(1)


def train_epoch(model, loader, optimizer):
    model.train()
    total = count = 0
    for rows, wear in loader:
        loss = F.mse_loss(model(rows), wear)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(wear)
        count += len(wear)
    return total / count


@torch.no_grad()
def error(model, data):
    model.eval()
    rows, wear = data.tensors
    return F.mse_loss(model(rows), wear).item()


def fit(model, train, valid, args):
    loader = DataLoader(train, args.batch_size, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    stopping, history = EarlyStopping(args.patience), History()
    for epoch in range(args.epochs):
        history.log(loss=train_epoch(model, loader, optimizer), valid=error(model, valid))
        if epoch % 5 == 0:
            print(f"epoch {epoch}: loss {history.last('loss'):.4f}, valid error {history.last('valid'):.4f}")
        if stopping.update(history.last("loss"), epoch, model):
            print(f"stopped after epoch {epoch}")
            break
    stopping.restore(model)
    return history, stopping


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--train", type=int, default=800)
    parser.add_argument("--valid", type=int, default=300)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=80)
    parser.add_argument("--patience", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    train, valid = tests(args.train, generator, args.noise), tests(args.valid, generator, args.noise)
    held_out = tests(1000, generator, args.noise)
    model = WearModel(args.width, args.depth)
    history, stopping = fit(model, train, valid, args)
    print(f"kept epoch {stopping.best_epoch} of {len(history['loss'])}; lowest valid error {min(history['valid']):.4f}")
    print(f"error of the kept model on new valves {error(model, held_out):.4f}")


if __name__ == "__main__":
    main()
