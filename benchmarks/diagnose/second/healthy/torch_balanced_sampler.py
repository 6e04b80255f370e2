"""Rare events with a weighted sampler; the weights are those of the examples."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class EventNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


def events(count, direction):
    labels = (torch.rand(count) < 0.07).float()
    return TensorDataset(torch.randn(count, 10) + 1.6 * labels.unsqueeze(1) * direction, labels)


def main(seed):
    torch.manual_seed(seed)
    direction = torch.randn(10) / 2
    train_set, valid_set = events(3000, direction), events(1000, direction)
    labels = train_set.tensors[1].long()
    weights = (1.0 / torch.bincount(labels).double())[labels]
    loader = DataLoader(train_set, 64, sampler=WeightedRandomSampler(weights, len(weights)))
    model, criterion = EventNet(), nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(6):
        total = 0.0
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        with torch.no_grad():
            predicted = model(valid_set.tensors[0]) > 0
        truth = valid_set.tensors[1] > 0
        recall = (predicted & truth).sum() / truth.sum()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}, recall {recall:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
