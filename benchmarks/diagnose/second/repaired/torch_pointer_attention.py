"""Look up the value that belongs to a queried key with a one-layer attention model."""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KEYS, VALUES, PAIRS = 20, 10, 8


def make_lookup(count, seed):
    """A list of (key, value) pairs and a query; the target is the value of the key."""
    generator = torch.Generator().manual_seed(seed)
    keys = torch.stack([torch.randperm(KEYS, generator=generator)[:PAIRS] for _ in range(count)])
    values = torch.randint(VALUES, (count, PAIRS), generator=generator)
    which = torch.randint(PAIRS, (count,), generator=generator)
    rows = torch.arange(count)
    return TensorDataset(keys, values, keys[rows, which], values[rows, which])


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.scale = 1 / math.sqrt(width // heads)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, query, memory, content):
        q = self.split(self.query(query))
        k = self.split(self.key(memory))
        v = self.split(self.value(content))
        scores = q @ k.transpose(-2, -1) * self.scale
        weights = scores.softmax(dim=-1)
        mixed = (weights @ v).transpose(1, 2).flatten(2)
        return self.out(mixed)


class LookupModel(nn.Module):
    def __init__(self, width=32, heads=2, dropout=0.0):
        super().__init__()
        self.keys = nn.Embedding(KEYS, width)
        self.values = nn.Embedding(VALUES, width)
        self.attention = Attention(width, heads)
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(width, VALUES)

    def forward(self, keys, values, query):
        memory = self.keys(keys)
        content = memory + self.values(values)
        asked = self.keys(query).unsqueeze(1)
        mixed = self.attention(asked, memory, content).squeeze(1)
        return self.classifier(self.dropout(self.norm(mixed)))


class WarmupLinear(torch.optim.lr_scheduler.LambdaLR):
    def __init__(self, optimizer, warmup, total):
        super().__init__(optimizer, lambda step: min((step + 1) / warmup, max(0.05, (total - step) / (total - warmup))))


def accuracy(model, loader):
    model.eval()
    right, count = 0, 0
    with torch.no_grad():
        for keys, values, query, target in loader:
            right += (model(keys, values, query).argmax(1) == target).sum().item()
            count += len(target)
    return right / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--heads", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader = DataLoader(make_lookup(4000, 1), args.batch_size, shuffle=True, drop_last=True)
    valid_loader = DataLoader(make_lookup(640, 2), args.batch_size)
    model = LookupModel(heads=args.heads)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    scheduler = WarmupLinear(optimizer, 50, args.epochs * len(train_loader))
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        for keys, values, query, target in train_loader:
            loss = criterion(model(keys, values, query), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}, valid accuracy {accuracy(model, valid_loader):.3f}")
    print(f"final accuracy {accuracy(model, valid_loader):.3f}")


if __name__ == "__main__":
    main()
