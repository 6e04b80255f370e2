"""Train on records that are stored class by class."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset


@dataclass
class Options:
    classes: int = 4
    per_class: int = 200
    batch: int = 40
    epochs: int = 3
    lr: float = 0.05


def records(label, n, gen):
    centre = torch.randn(12, generator=torch.Generator().manual_seed(label))
    x = centre + 1.2 * torch.randn(n, 12, generator=gen)
    return TensorDataset(x, torch.full((n,), label))


def dataset(opts, n, seed):
    gen = torch.Generator().manual_seed(seed)
    return ConcatDataset([records(c, n, gen) for c in range(opts.classes)])


def fit(model, loader, opts):
    optimizer = torch.optim.SGD(model.parameters(), lr=opts.lr, momentum=0.9)
    model.train()
    for _ in range(opts.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


def main(opts=Options()):
    torch.manual_seed(5)
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, opts.classes))
    fit(model, DataLoader(dataset(opts, opts.per_class, 0), batch_size=opts.batch, shuffle=True), opts)
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for x, y in DataLoader(dataset(opts, 50, 1), batch_size=100):
            hits += int((model(x).argmax(1) == y).sum())
            total += len(y)
    print(f"test accuracy {hits / total:.3f}")


if __name__ == "__main__":
    main()
