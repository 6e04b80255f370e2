"""Translate written additions into their results with a recurrent encoder, attention and a decoder."""

import argparse
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SYMBOLS = "0123456789+ "
BEGIN = len(SYMBOLS)
LENGTH = 3


def encode(text):
    return [SYMBOLS.index(symbol) for symbol in text]


def tasks(count, rng):
    """All different sums of two numbers below a hundred; results are written from the last digit on."""
    pairs = [(a, b) for a in range(100) for b in range(100)]
    chosen = rng.sample(pairs, count)
    questions = torch.tensor([encode(f"{a:02d}+{b:02d}") for a, b in chosen])
    answers = torch.tensor([encode(f"{a + b:03d}"[::-1]) for a, b in chosen])
    return TensorDataset(questions, answers)


class Translator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(len(SYMBOLS) + 1, width)
        self.encoder = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * width, width)
        self.start = nn.Linear(2 * width, width)
        self.cell = nn.GRUCell(2 * width, width)
        self.query = nn.Linear(width, width)
        self.output = nn.Linear(2 * width, len(SYMBOLS))

    def forward(self, questions, answers=None):
        """Logits of each answer symbol; with ``answers`` the decoder is fed the true symbols."""
        memory, last = self.encoder(self.embedding(questions))
        memory = self.bridge(memory)
        state = torch.tanh(self.start(torch.cat([last[0], last[1]], dim=1)))
        symbol = torch.full((len(questions),), BEGIN)
        logits = []
        for position in range(LENGTH):
            weights = torch.bmm(memory, self.query(state).unsqueeze(2)).squeeze(2).softmax(dim=1)
            context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
            state = self.cell(torch.cat([self.embedding(symbol), context], dim=1), state)
            step = self.output(torch.cat([state, context], dim=1))
            logits.append(step)
            symbol = step.argmax(dim=1) if answers is None else answers[:, position]
        return torch.stack(logits, dim=1)


@torch.no_grad()
def exact(model, loader):
    model.eval()
    hits = count = 0
    for questions, answers in loader:
        hits += int((model(questions).argmax(2) == answers).all(dim=1).sum())
        count += len(questions)
    return hits / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    data = tasks(6000, random.Random(args.seed))
    train, valid = torch.utils.data.random_split(data, [5400, 600])
    train_loader = DataLoader(train, args.batch_size, shuffle=True)
    valid_loader = DataLoader(valid, 300)
    model = Translator(args.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=1e-4)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for questions, answers in train_loader:
            logits = model(questions, answers)
            loss = F.cross_entropy(logits.flatten(0, 1), answers.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        schedule.step()
        print(f"epoch {epoch}: loss {total / len(train_loader):.4f}, exact {exact(model, valid_loader):.3f}")


if __name__ == "__main__":
    main()
