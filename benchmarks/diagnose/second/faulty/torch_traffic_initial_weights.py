"""Classify the state of traffic from counts of a ring of detectors, with weights drawn by an own rule."""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STATES = ("free", "dense", "wave", "jam")
DETECTORS, STEPS = 12, 10


def counts(state, rng):
    """Vehicles at each detector and time step."""
    place = np.arange(DETECTORS)[:, None]
    time = np.arange(STEPS)[None]
    level = {"free": 8, "dense": 14, "wave": 11, "jam": 12}[state] * rng.uniform(0.8, 1.2)
    mean = np.full((DETECTORS, STEPS), level)
    if state == "wave":
        mean = mean + 5 * np.sin(2 * np.pi * (place + time) / 6 + rng.uniform(0, 6))
    elif state == "jam":
        start = rng.integers(0, DETECTORS)
        blocked = ((place - start) % DETECTORS) < 4
        mean = np.where(blocked, 3.0, mean)
    return rng.poisson(np.clip(mean, 0.5, None))


def records(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(STATES), size=count)
    rows = np.stack([counts(STATES[label], rng) for label in labels]).astype("float32")
    return rows, labels


class Scaler:
    def __init__(self, rows):
        self.mean, self.std = rows.mean(), rows.std()

    def dataset(self, rows, labels):
        return TensorDataset(torch.tensor((rows - self.mean) / self.std), torch.tensor(labels))


class TrafficNet(nn.Module):
    """Two layers along the ring, then three dense ones."""

    def __init__(self, width, hidden):
        super().__init__()
        self.first = nn.Conv1d(STEPS, width, 3, padding=1, padding_mode="circular")
        self.second = nn.Conv1d(width, width, 3, padding=1, padding_mode="circular")
        self.dense = nn.ModuleList([nn.Linear(width * DETECTORS, hidden), nn.Linear(hidden, hidden)])
        self.head = nn.Linear(hidden, len(STATES))
        self.apply(initialise)

    def forward(self, rows):
        x = torch.tanh(self.first(rows.transpose(1, 2)))
        x = torch.tanh(self.second(x)).flatten(1)
        for layer in self.dense:
            x = torch.tanh(layer(x))
        return self.head(x)


def initialise(module):
    """Weights from a normal distribution, biases of zero."""
    if isinstance(module, nn.Linear | nn.Conv1d):
        nn.init.normal_(module.weight, mean=0.0, std=1.0)
        nn.init.zeros_(module.bias)


def train_epoch(model, loader, optimizer):
    model.train()
    total = hits = count = 0
    for rows, labels in loader:
        scores = model(rows)
        loss = F.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
        hits += int((scores.argmax(1) == labels).sum())
        count += len(labels)
    return total / count, hits / count


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores, labels = zip(*[(model(rows), labels) for rows, labels in loader], strict=True)
    scores, labels = torch.cat(scores), torch.cat(labels)
    return F.cross_entropy(scores, labels).item(), (scores.argmax(1) == labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rows, labels = records(1500, args.seed)
    scaler = Scaler(rows)
    train = DataLoader(scaler.dataset(rows, labels), args.batch_size, shuffle=True)
    valid = DataLoader(scaler.dataset(*records(500, args.seed + 33)), 250)
    model = TrafficNet(args.width, args.hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    print(f"before training: valid loss {evaluate(model, valid)[0]:.3f}")
    for epoch in range(args.epochs):
        loss, accuracy = train_epoch(model, train, optimizer)
        valid_loss, valid_accuracy = evaluate(model, valid)
        print(
            f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}, "
            f"valid loss {valid_loss:.4f}, valid accuracy {valid_accuracy:.3f}"
        )
    print(f"final valid accuracy {valid_accuracy:.3f}")


if __name__ == "__main__":
    main()
