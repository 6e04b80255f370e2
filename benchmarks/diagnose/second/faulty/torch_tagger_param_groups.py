"""Token tagging with an embedding encoder and a classifier head; two learning rates."""

import argparse
import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

TAGS = ("O", "PER", "LOC", "ORG", "MISC", "TIME", "NUM", "EVENT")
PAD = 0


class Sentences(Dataset):
    """Each word has a tag of its own, except after a trigger word, when the tag is the next one in the list."""

    def __init__(self, count, vocabulary, seed):
        rng = random.Random(seed)
        self.rows = []
        for _ in range(count):
            words = [rng.randrange(1, vocabulary) for _ in range(rng.randint(5, 14))]
            tags = []
            for position, word in enumerate(words):
                shift = position > 0 and words[position - 1] % 11 == 0
                tags.append((word % len(TAGS) + shift) % len(TAGS))
            self.rows.append((torch.tensor(words), torch.tensor(tags)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(rows):
    words, tags = zip(*rows, strict=True)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=-100)


class Encoder(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width, padding_idx=PAD)
        self.context = nn.Conv1d(width, width, 3, padding=1)
        self.embedding.requires_grad_(False)

    def forward(self, words):
        x = self.embedding(words)
        return x + torch.relu(self.context(x.transpose(1, 2))).transpose(1, 2)


class Tagger(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.encoder = Encoder(vocabulary, width)
        self.dropout = nn.Dropout(0.1)
        self.fc = nn.Sequential(nn.Linear(width, 96), nn.ReLU(), nn.Linear(96, len(TAGS)))

    def forward(self, words):
        return self.fc(self.dropout(self.encoder(words)))


def build_optimizer(model, args):
    groups = []
    group = {"lr": args.lr, "weight_decay": 1e-2, "params": []}
    for name, parameter in model.named_parameters():
        if "encoder" in name and parameter.requires_grad:
            group["params"].append(parameter)
    groups.append(group)

    group = {"lr": args.head_lr, "weight_decay": 0.0, "params": []}
    for name, parameter in model.named_parameters():
        if name.startswith("fc"):
            group["params"].append(parameter)
    return torch.optim.AdamW(groups)


class Trainer:
    def __init__(self, model, optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.train_loader = train_loader
        self.valid_loader = valid_loader
        self.criterion = nn.CrossEntropyLoss(ignore_index=-100)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for words, tags in self.train_loader:
            self.optimizer.zero_grad()
            logits = self.model(words)
            loss = self.criterion(logits.flatten(0, 1), tags.flatten())
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        right, count = 0, 0
        for words, tags in self.valid_loader:
            mask = tags != -100
            right += (self.model(words).argmax(-1)[mask] == tags[mask]).sum().item()
            count += mask.sum().item()
        return right / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--vocabulary", type=int, default=150)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--lr", type=float, default=5e-5)
    parser.add_argument("--head-lr", type=float, default=5e-3)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader = DataLoader(Sentences(1200, args.vocabulary, 1), 16, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(Sentences(200, args.vocabulary, 2), 50, collate_fn=collate)
    model = Tagger(args.vocabulary, args.width)
    trainer = Trainer(model, build_optimizer(model, args), train_loader, valid_loader)
    for epoch in range(args.epochs):
        loss = trainer.train_epoch()
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {trainer.accuracy():.3f}")
    print(f"final accuracy {trainer.accuracy():.3f}")


if __name__ == "__main__":
    main()
