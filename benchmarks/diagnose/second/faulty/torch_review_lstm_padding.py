"""Sentiment of short reviews with an LSTM over padded word sequences."""

import argparse
import random
from collections import Counter

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

GOOD = "great lovely superb warm clever funny moving brilliant".split()
BAD = "dull awful flat cold clumsy boring weak terrible".split()
NEUTRAL = "the a film plot actor scene music story camera line and of with in about one long short first last".split()


def write_review(rng):
    label = rng.randrange(2)
    words = rng.choices(NEUTRAL, k=rng.randint(6, 20))
    for _ in range(rng.randint(1, 3)):
        words.insert(rng.randrange(len(words) + 1), rng.choice(GOOD if label else BAD))
    return words, label


class Vocabulary:
    def __init__(self, texts):
        counts = Counter(word for words in texts for word in words)
        self.index = {word: number for number, (word, _) in enumerate(counts.most_common(), start=2)}

    def __len__(self):
        return len(self.index) + 2

    def __call__(self, words):
        return [self.index.get(word, 1) for word in words]


class Reviews(Dataset):
    def __init__(self, rows, vocabulary, max_length):
        self.rows = [(vocabulary(words)[:max_length], label) for words, label in rows]
        self.max_length = max_length

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        tokens, label = self.rows[index]
        padded = torch.zeros(self.max_length, dtype=torch.long)
        padded[: len(tokens)] = torch.tensor(tokens)
        return padded, len(tokens), float(label)


class SentimentLSTM(nn.Module):
    def __init__(self, vocabulary, width, hidden, dropout):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width, padding_idx=0)
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, tokens, lengths):
        output, _ = self.lstm(self.embedding(tokens))
        last = output[:, -1, :]
        return self.fc(self.dropout(last)).squeeze(1)


def binary_accuracy(logits, labels):
    return ((logits > 0).float() == labels).float().mean().item()


def train(model, loader, optimizer, criterion):
    model.train()
    loss_sum, accuracy_sum = 0.0, 0.0
    for tokens, lengths, labels in loader:
        optimizer.zero_grad()
        logits = model(tokens, lengths)
        loss = criterion(logits, labels.float())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        loss_sum += loss.item()
        accuracy_sum += binary_accuracy(logits, labels)
    return loss_sum / len(loader), accuracy_sum / len(loader)


def evaluate(model, loader, criterion):
    model.eval()
    loss_sum, accuracy_sum = 0.0, 0.0
    with torch.no_grad():
        for tokens, lengths, labels in loader:
            logits = model(tokens, lengths)
            loss_sum += criterion(logits, labels.float()).item()
            accuracy_sum += binary_accuracy(logits, labels)
    return loss_sum / len(loader), accuracy_sum / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--max-length", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    rows = [write_review(rng) for _ in range(1500)]
    vocabulary = Vocabulary(words for words, _ in rows[:1200])
    train_loader = DataLoader(Reviews(rows[:1200], vocabulary, args.max_length), args.batch_size, shuffle=True)
    valid_loader = DataLoader(Reviews(rows[1200:], vocabulary, args.max_length), 100)
    model = SentimentLSTM(len(vocabulary), 24, 32, 0.2)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        train_loss, train_accuracy = train(model, train_loader, optimizer, criterion)
        valid_loss, valid_accuracy = evaluate(model, valid_loader, criterion)
        print(f"Epoch {epoch + 1:02}: {train_loss:.3f} {train_accuracy:.3f} | {valid_loss:.3f} {valid_accuracy:.3f}")
    print(f"final valid accuracy {valid_accuracy:.3f}")


if __name__ == "__main__":
    main()
