"""A letter model of generated dates, with sampling from it and the best weights kept."""

import argparse
import copy
import math
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LETTERS = sorted(set("".join(MONTHS + DAYS) + "0123456789 ,"))
PAD, BEGIN, END = 0, 1, 2
CODES = {letter: code for code, letter in enumerate(LETTERS, start=3)}


def make_line(rng):
    return f"{rng.choice(DAYS)}, {rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(1950, 2029)}"


def encode(line):
    return torch.tensor([BEGIN, *(CODES[letter] for letter in line), END])


def collate(lines):
    codes = pad_sequence([encode(line) for line in lines], batch_first=True, padding_value=PAD)
    return codes[:, :-1], codes[:, 1:]


class LetterModel(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.embedding = nn.Embedding(len(CODES) + 3, width, padding_idx=PAD)
        self.rnn = nn.GRU(width, 2 * width, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(2 * width, len(CODES) + 3)

    def forward(self, codes, state=None):
        hidden, state = self.rnn(self.embedding(codes), state)
        return self.output(self.dropout(hidden)), state


def loss_of(model, inputs, targets, reduction="mean"):
    logits, _ = model(inputs)
    return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=PAD, reduction=reduction)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_of(model, inputs, targets, "sum").item()
        count += int((targets != PAD).sum())
    return total / count


@torch.no_grad()
def sample(model, generator, limit=30):
    model.eval()
    names = {code: letter for letter, code in CODES.items()}
    code, state, line = torch.tensor([[BEGIN]]), None, ""
    for _ in range(limit):
        logits, state = model(code, state)
        chances = F.softmax(logits[:, -1] / 0.7, dim=1)
        code = torch.multinomial(chances, 1, generator=generator)
        if code.item() == END:
            break
        line += names.get(code.item(), "?")
    return line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    lines = list(dict.fromkeys(make_line(rng) for _ in range(3000)))
    train, valid = lines[:2500], lines[2500:]
    train_loader = DataLoader(train, 64, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(valid, 256, collate_fn=collate)
    model = LetterModel(args.width, dropout=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    best, best_state = math.inf, None
    for epoch in range(args.epochs):
        model.train()
        for inputs, targets in train_loader:
            loss = loss_of(model, inputs, targets)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        score = evaluate(model, valid_loader)
        if score < best:
            best, best_state = score, copy.deepcopy(model.state_dict())
        print(f"epoch {epoch}: valid perplexity {math.exp(score):.3f}")
    model.load_state_dict(best_state)
    generator = torch.Generator().manual_seed(args.seed)
    for _ in range(3):
        print("sample:", sample(model, generator))
    print(f"best perplexity {math.exp(best):.3f}")


if __name__ == "__main__":
    main()
