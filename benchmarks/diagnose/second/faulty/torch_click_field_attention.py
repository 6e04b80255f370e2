"""Predict clicks on advertisements from categorical fields with attention between the fields."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FIELDS = {"hour": 24, "device": 5, "site": 40, "banner": 30, "region": 12}


@dataclass(frozen=True)
class Options:
    width: int = 24
    heads: int = 2
    blocks: int = 2
    dropout: float = 0.5
    lr: float = 4e-3
    epochs: int = 10
    batch_size: int = 128


def impressions(count, seed):
    """Fields of each impression; clicks depend on pairs of fields."""
    secret = np.random.default_rng(3)
    site_banner = 3.0 * secret.normal(size=(FIELDS["site"], 2)) @ secret.normal(size=(2, FIELDS["banner"]))
    device_hour = 1.5 * secret.normal(size=(FIELDS["device"], FIELDS["hour"]))
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, size, count) for size in FIELDS.values()]
    hour, device, site, banner, _ = columns
    logit = site_banner[site, banner] + device_hour[device, hour] - 0.3
    clicked = rng.random(count) < 1 / (1 + np.exp(-logit))
    offsets = np.cumsum([0, *FIELDS.values()])[:-1]
    fields = np.stack(columns, axis=1) + offsets
    return TensorDataset(torch.tensor(fields), torch.tensor(clicked, dtype=torch.float32))


class FieldAttention(nn.Module):
    """Attention of the fields of one impression to each other."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.project = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        query, key, value = self.project(x).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(2, 3) / key.shape[-1] ** 0.5
        weights = F.dropout(scores.softmax(dim=-1), p=self.dropout)
        mixed = (weights @ value).transpose(1, 2).flatten(2)
        return self.out(mixed)


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.attention = FieldAttention(width, heads, dropout)
        self.norm = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.last_norm = nn.LayerNorm(width)

    def forward(self, x):
        x = self.norm(x + self.attention(x))
        return self.last_norm(x + self.feed(x))


class ClickModel(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.embedding = nn.Embedding(sum(FIELDS.values()), options.width)
        self.field = nn.Parameter(0.02 * torch.randn(len(FIELDS), options.width))
        self.blocks = nn.Sequential(*[Block(options.width, options.heads, options.dropout) for _ in range(options.blocks)])
        self.head = nn.Linear(len(FIELDS) * options.width, 1)

    def forward(self, fields):
        return self.head(self.blocks(self.embedding(fields) + self.field).flatten(1)).squeeze(1)


def auc(scores, labels):
    """Share of pairs of a click and no click that are in the right order."""
    ranks = scores.argsort().argsort().double() + 1
    positive = labels > 0.5
    count = int(positive.sum())
    return ((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(labels) - count))).item()


@torch.no_grad()
def predict(model, loader):
    model.eval()
    rows = [(model(fields), clicked) for fields, clicked in loader]
    return torch.cat([row[0] for row in rows]), torch.cat([row[1] for row in rows])


def fit(model, train, valid, options):
    optimizer = torch.optim.Adam(model.parameters(), lr=options.lr)
    for epoch in range(options.epochs):
        model.train()
        total = 0.0
        for fields, clicked in train:
            loss = F.binary_cross_entropy_with_logits(model(fields), clicked)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        scores, labels = predict(model, valid)
        print(f"epoch {epoch}: loss {total / len(train):.4f}, valid AUC {auc(scores, labels):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=Options.epochs)
    parser.add_argument("--dropout", type=float, default=Options.dropout)
    args = parser.parse_args()
    options = Options(epochs=args.epochs, dropout=args.dropout)
    torch.manual_seed(args.seed)
    train = DataLoader(impressions(12000, args.seed + 1), options.batch_size, shuffle=True)
    valid = DataLoader(impressions(2000, args.seed + 2), 500)
    model = ClickModel(options)
    fit(model, train, valid, options)
    first, labels = predict(model, valid)
    second, _ = predict(model, valid)
    print(f"two predictions differ by {(first - second).abs().mean():.3f}, AUC {auc(first, labels):.3f}")


if __name__ == "__main__":
    main()
