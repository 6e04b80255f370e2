"""Random search over the depth of a small MLP for heart-rate zones."""
import argparse
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def heart_rates(n=900):
    age = np.random.randint(18, 70, n)
    rate = np.random.normal(110, 30, n)
    zone = np.digitize(rate / (220 - age), [0.5, 0.6, 0.75])
    x = np.stack([age / 70.0, rate / 200.0], axis=1).astype(np.float32)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(zone))


def mlp(depth, width):
    layers = [nn.Linear(2, width), nn.ReLU()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, 4))


def run(depth, width, train, valid, epochs):
    model = mlp(depth, width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    for _ in range(epochs):
        model.train()
        for x, y in DataLoader(train, batch_size=50, shuffle=True):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        hits = [(model(x).argmax(1) == y).float().mean() for x, y in DataLoader(valid, batch_size=len(valid))]
    return hits[0].item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    train, valid = random_split(heart_rates(), [700, 200])
    trials = [(random.randint(1, 4), random.choice([16, 32, 64])) for _ in range(args.trials)]
    scores = {trial: run(*trial, train, valid, args.epochs) for trial in trials}
    best = max(scores, key=scores.get)
    print("best depth and width", best, "accuracy", round(scores[best], 3))


if __name__ == "__main__":
    main()
