"""Learn features of short signals from pairs of distorted views, then read them out with a linear probe."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    """Waves of four shapes with a random phase and amplitude."""

    def __init__(self, count, generator):
        time = torch.linspace(0, 1, 64)
        self.labels = torch.randint(4, (count,), generator=generator)
        phase = torch.rand(count, 1, generator=generator)
        cycles = 3 * (time + phase)
        shapes = torch.stack(
            [
                torch.sin(2 * torch.pi * cycles),
                torch.sign(torch.sin(2 * torch.pi * cycles)),
                2 * (cycles % 1) - 1,
                torch.sin(2 * torch.pi * 2 * cycles),
            ]
        )
        self.signals = shapes[self.labels, torch.arange(count)] * (0.7 + 0.6 * torch.rand(count, 1, generator=generator))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.signals[index], self.labels[index]


def distort(signals):
    shift = int(torch.randint(signals.shape[1], (1,)))
    scale = 0.8 + 0.4 * torch.rand(len(signals), 1)
    return scale * signals.roll(shift, 1) + 0.15 * torch.randn_like(signals)


class Encoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.convolutions = nn.Sequential(
            nn.Conv1d(1, width, 7, padding=3, padding_mode="circular"),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2, padding_mode="circular"),
            nn.ReLU(),
        )
        self.projector = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 16))

    def features(self, signals):
        return self.convolutions(signals.unsqueeze(1)).mean(2)

    def forward(self, signals):
        return F.normalize(self.projector(self.features(signals)), dim=1)


def info_nce(first, second, temperature):
    both = torch.cat([first, second])
    similarity = both @ both.T / temperature
    similarity.fill_diagonal_(float("-inf"))
    count = len(first)
    partners = torch.cat([torch.arange(count) + count, torch.arange(count)])
    return F.cross_entropy(similarity, partners)


def probe(encoder, train, test):
    """Accuracy of a linear classifier on frozen features."""
    encoder.eval()
    with torch.no_grad():
        x_train, x_test = encoder.features(train.signals), encoder.features(test.signals)
    mean, std = x_train.mean(0), x_train.std(0) + 1e-6
    x_train, x_test = (x_train - mean) / std, (x_test - mean) / std
    classifier = nn.Linear(x_train.shape[1], 4)
    optimizer = torch.optim.Adam(classifier.parameters(), lr=0.02)
    for _ in range(150):
        optimizer.zero_grad()
        F.cross_entropy(classifier(x_train), train.labels).backward()
        optimizer.step()
    with torch.no_grad():
        return (classifier(x_test).argmax(1) == test.labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--temperature", type=float, default=0.2)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    train, test = Waves(2048, generator), Waves(600, generator)
    loader = DataLoader(train, args.batch_size, shuffle=True, drop_last=True)
    encoder = Encoder()
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    for epoch in range(args.epochs):
        encoder.train()
        total = 0.0
        for signals, _ in loader:
            loss = info_nce(encoder(distort(signals)), encoder(distort(signals)), args.temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        schedule.step()
        print(f"epoch {epoch}: contrastive loss {total / len(loader):.4f}")
    print(f"linear probe accuracy {probe(encoder, train, test):.3f}")


if __name__ == "__main__":
    main()
