"""Predict which donors give again; rare donors are drawn more often, and a later year serves as the test."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

COLUMNS = 30


@dataclass
class Table:
    rows: torch.Tensor
    labels: torch.Tensor

    def __len__(self):
        return len(self.labels)

    def take(self, index):
        return Table(self.rows[index], self.labels[index])

    def loader(self, batch_size, shuffle=False):
        return DataLoader(TensorDataset(self.rows, self.labels), batch_size, shuffle=shuffle)


def donors(count, seed):
    """Donors with thirty answers each; few of them matter, and one in eight gives again."""
    weights = torch.randn(COLUMNS, generator=torch.Generator().manual_seed(2)) * (torch.arange(COLUMNS) < 6)
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(count, COLUMNS, generator=generator)
    score = 0.6 * rows @ weights + torch.randn(count, generator=generator)
    labels = (score > 1.15 * score.std()).float()
    return Table(rows, labels)


def oversample(table, generator):
    """As many donors of the rare kind as of the other one, drawn with replacement."""
    rare = torch.nonzero(table.labels == 1).flatten()
    common = torch.nonzero(table.labels == 0).flatten()
    drawn = rare[torch.randint(len(rare), (len(common),), generator=generator)]
    return table.take(torch.cat([common, drawn]))


def split(table, share, generator):
    order = torch.randperm(len(table), generator=generator)
    cut = int(len(table) * share)
    return table.take(order[cut:]), table.take(order[:cut])


def prepare(table, args):
    """Balanced training donors, donors for validation and the scaling."""
    generator = torch.Generator().manual_seed(args.seed)
    train, valid = split(table, args.valid_share, generator)
    train = oversample(train, generator)
    mean, std = train.rows.mean(0), train.rows.std(0)

    def scale(part):
        return Table((part.rows - mean) / std, part.labels)

    return scale(train), scale(valid), scale


def network(width, dropout):
    return nn.Sequential(
        nn.Linear(COLUMNS, width),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, 1),
        nn.Flatten(0),
    )


@torch.no_grad()
def recalls(model, table):
    """Share of each kind that is found; their mean is the balanced accuracy."""
    model.eval()
    found = (model(table.rows) > 0).float()
    rare = table.labels == 1
    return found[rare].mean().item(), 1 - found[~rare].mean().item()


def train_model(model, train, valid, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    loader = train.loader(args.batch_size, shuffle=True)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for rows, labels in loader:
            loss = F.binary_cross_entropy_with_logits(model(rows), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        again, never = recalls(model, valid)
        print(f"epoch {epoch}: loss {total / len(loader):.4f}, valid recalls {again:.3f} and {never:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.3)
    parser.add_argument("--valid-share", type=float, default=0.25)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train, valid, scale = prepare(donors(2000, args.seed + 1), args)
    model = network(args.width, args.dropout)
    train_model(model, train, valid, args)
    checked = sum(recalls(model, valid)) / 2
    tested = sum(recalls(model, scale(donors(3000, args.seed + 2)))) / 2
    print(f"balanced accuracy: valid {checked:.3f}, next year {tested:.3f}")


if __name__ == "__main__":
    main()
