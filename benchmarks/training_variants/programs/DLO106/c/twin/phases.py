import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def make_loaders():
    x = torch.randn(120, 6)
    y = (x.sum(dim=1) > 0).long()
    train, val = random_split(TensorDataset(x, y), [90, 30])
    return {"train": DataLoader(train, 16, shuffle=True), "val": DataLoader(val, 30)}


def run_phase(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total = correct = 0
    for x, y in loader:
        with torch.set_grad_enabled(training):
            logits = model(x)
            loss = criterion(logits, y)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        correct += (logits.argmax(1) == y).sum().item()
        total += len(y)
    return correct / total


def main():
    torch.manual_seed(9)
    loaders = make_loaders()
    model = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    best, best_state = 0.0, None
    for epoch in range(4):
        run_phase(model, loaders["train"], criterion, optimizer)
        acc = run_phase(model, loaders["val"], criterion)
        if acc > best:
            best, best_state = acc, copy.deepcopy(model.state_dict())
        print(epoch, round(acc, 3))
    model.load_state_dict(best_state)


if __name__ == "__main__":
    main()
