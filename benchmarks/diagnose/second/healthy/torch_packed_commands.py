"""Tell the intent of commands of different lengths with a packed bidirectional LSTM and an own collate function."""

import argparse
import random
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

INTENTS = {
    "lamp": ("switch the lamp {} in the {}", "make it {} in the {} please", "lamp {} {}"),
    "music": ("play some {} songs in the {}", "i want {} music in the {}", "music {} {}"),
    "clock": ("wake me at {} in the {}", "set a clock for {} in the {} will you", "alarm {} {}"),
    "weather": ("will it be {} in the {}", "how {} is it in the {} today", "weather {} {}"),
}
FIRST = ("bright", "loud", "seven", "warm", "dark", "slow", "nine", "cold", "on", "off")
SECOND = ("kitchen", "morning", "garden", "evening", "city", "bedroom", "north", "hall")


def commands(count, rng):
    rows = []
    for _ in range(count):
        label = rng.randrange(len(INTENTS))
        sentence = rng.choice(list(INTENTS.values())[label]).format(rng.choice(FIRST), rng.choice(SECOND))
        words = sentence.split()
        if rng.random() < 0.3:
            words = ["hello", *words]
        rows.append(([word for word in words if rng.random() > 0.15] or words, label))
    return rows


class Vocabulary:
    def __init__(self, rows, at_least=2):
        counts = Counter(word for words, _ in rows for word in words)
        self.numbers = {word: number for number, (word, n) in enumerate(counts.most_common(), 2) if n >= at_least}

    def __len__(self):
        return len(self.numbers) + 2

    def encode(self, words):
        return torch.tensor([self.numbers.get(word, 1) for word in words])


class Commands(Dataset):
    def __init__(self, rows, vocabulary):
        self.rows = [(vocabulary.encode(words), label) for words, label in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(rows):
    sentences, labels = zip(*rows, strict=True)
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return pad_sequence(sentences, batch_first=True), lengths, torch.tensor(labels)


class IntentModel(nn.Module):
    def __init__(self, words, width, classes):
        super().__init__()
        self.embedding = nn.Embedding(words, width, padding_idx=0)
        self.rnn = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(0.3)
        self.head = nn.Linear(2 * width, classes)

    def forward(self, sentences, lengths):
        packed = pack_padded_sequence(self.embedding(sentences), lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.rnn(packed)
        return self.head(self.dropout(torch.cat([last[0], last[1]], dim=1)))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = torch.cat([model(sentences, lengths).argmax(1) == labels for sentences, lengths, labels in loader])
    return hits.float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=24)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    train_rows, valid_rows = commands(1500, rng), commands(500, rng)
    vocabulary = Vocabulary(train_rows)
    train = DataLoader(Commands(train_rows, vocabulary), args.batch_size, shuffle=True, collate_fn=collate)
    valid = DataLoader(Commands(valid_rows, vocabulary), 250, collate_fn=collate)
    model = IntentModel(len(vocabulary), args.width, len(INTENTS))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for sentences, lengths, labels in train:
            loss = F.cross_entropy(model(sentences, lengths), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(train):.4f}, valid accuracy {evaluate(model, valid):.3f}")


if __name__ == "__main__":
    main()
