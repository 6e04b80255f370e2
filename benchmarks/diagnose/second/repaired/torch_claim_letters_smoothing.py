"""Route letters of claims to ten departments by an average of word vectors and a smoothed loss."""

import argparse
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

DEPARTMENTS = ("fire", "water", "theft", "storm", "travel", "health", "car", "pets", "legal", "glass")
WORDS = 300
LONGEST = 20


class Letters(Dataset):
    """Letters as rows of word numbers; number 0 is padding."""

    def __init__(self, count, seed):
        rng = random.Random(seed)
        self.rows = []
        for _ in range(count):
            label = rng.randrange(len(DEPARTMENTS))
            length = rng.randint(8, LONGEST)
            words = [self.word(label, rng) for _ in range(length)]
            self.rows.append((words + [0] * (LONGEST - length), label))

    @staticmethod
    def word(label, rng):
        if rng.random() < 0.3:
            return 1 + 12 * label + rng.randrange(12)
        return 1 + rng.randrange(WORDS)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        words, label = self.rows[index]
        return torch.tensor(words), label


class WordAverage(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embedding = nn.Embedding(words + 1, width, padding_idx=0)

    def forward(self, letters):
        known = (letters != 0).unsqueeze(2).float()
        return (self.embedding(letters) * known).sum(1) / known.sum(1).clamp(min=1)


class Router(nn.Module):
    """Shares of the departments for each letter."""

    def __init__(self, words, width, hidden, dropout):
        super().__init__()
        self.average = WordAverage(words, width)
        self.layers = nn.Sequential(
            nn.Linear(width, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, len(DEPARTMENTS)),
        )

    def forward(self, letters):
        return self.layers(self.average(letters))


class Metrics:
    def __init__(self):
        self.loss = self.hits = self.count = 0

    def add(self, loss, scores, labels):
        self.loss += loss.item() * len(labels)
        self.hits += int((scores.argmax(1) == labels).sum())
        self.count += len(labels)

    def __str__(self):
        return f"loss {self.loss / self.count:.4f}, accuracy {self.hits / self.count:.3f}"


def make_criterion(args):
    return nn.CrossEntropyLoss(label_smoothing=args.smoothing)


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    metrics = Metrics()
    for letters, labels in loader:
        scores = model(letters)
        loss = criterion(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.add(loss.detach(), scores, labels)
    return metrics


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    metrics = Metrics()
    for letters, labels in loader:
        scores = model(letters)
        metrics.add(criterion(scores, labels), scores, labels)
    return metrics


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--smoothing", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=2e-3)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train = DataLoader(Letters(4000, args.seed), args.batch_size, shuffle=True)
    valid = DataLoader(Letters(800, args.seed + 9), 400)
    model = Router(WORDS, args.width, args.hidden, args.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    criterion = make_criterion(args)
    for epoch in range(args.epochs):
        trained = train_epoch(model, train, criterion, optimizer)
        checked = validate(model, valid, criterion)
        print(f"epoch {epoch}: train {trained}; valid {checked}")
    print(f"final valid {checked}")


if __name__ == "__main__":
    main()
