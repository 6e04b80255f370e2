"""Find stolen cards from the order of their last payments with a small transformer encoder."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

KINDS = 8
PAYMENTS = 16


class Cards(Dataset):
    """Payments of cards; thieves test a card with a small payment (0) and then buy phones (5) soon."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.kinds = torch.randint(KINDS, (count, PAYMENTS), generator=generator)
        self.amounts = torch.rand(count, PAYMENTS, generator=generator)
        stolen = torch.rand(count, generator=generator) < 0.5
        places = torch.randint(PAYMENTS - 3, (count,), generator=generator)
        gaps = torch.randint(1, 3, (count,), generator=generator)
        for row in range(count):
            first, second = (0, 5) if stolen[row] else (5, 0)
            self.kinds[row][(self.kinds[row] == 0) | (self.kinds[row] == 5)] = 3
            self.kinds[row, places[row]] = first
            self.kinds[row, places[row] + gaps[row]] = second
        self.labels = stolen.float()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.kinds[index], self.amounts[index], self.labels[index]


class PaymentEmbedding(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.kind = nn.Embedding(KINDS, width)
        self.amount = nn.Linear(1, width)
        self.place = nn.Parameter(0.1 * torch.randn(PAYMENTS, width))

    def forward(self, kinds, amounts):
        return self.kind(kinds) + self.amount(amounts.unsqueeze(2)) + self.place


class CardEncoder(nn.Module):
    def __init__(self, width, heads, layers, dropout):
        super().__init__()
        self.embedding = PaymentEmbedding(width)
        layer = nn.TransformerEncoderLayer(
            d_model=width,
            nhead=heads,
            dim_feedforward=2 * width,
            dropout=dropout,
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=layers)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 1))

    def forward(self, kinds, amounts):
        hidden = self.encoder(self.embedding(kinds, amounts))
        return self.head(hidden.mean(dim=1)).squeeze(1)


class WarmupThenDecay:
    """Factor of the learning rate: linear warm-up, then linear decay."""

    def __init__(self, warmup, total):
        self.warmup, self.total = warmup, total

    def __call__(self, step):
        if step < self.warmup:
            return (step + 1) / self.warmup
        return max(0.05, (self.total - step) / (self.total - self.warmup))


def train_epoch(model, loader, optimizer, schedule):
    model.train()
    total = 0.0
    for kinds, amounts, labels in loader:
        loss = F.binary_cross_entropy_with_logits(model(kinds, amounts), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = [(model(kinds, amounts) > 0) == (labels > 0.5) for kinds, amounts, labels in loader]
    return torch.cat(hits).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train = DataLoader(Cards(2400, args.seed), args.batch_size, shuffle=True)
    valid = DataLoader(Cards(600, args.seed + 40), 200)
    model = CardEncoder(args.width, args.heads, args.layers, args.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    steps = args.epochs * len(train)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, WarmupThenDecay(steps // 10, steps))
    for epoch in range(args.epochs):
        loss = train_epoch(model, train, optimizer, schedule)
        print(f"epoch {epoch}: loss {loss:.4f}, valid accuracy {accuracy(model, valid):.3f}")
    print(f"final valid accuracy {accuracy(model, valid):.3f}")


if __name__ == "__main__":
    main()
