"""Detect a rare emotion in utterances (audio and text features), with a class-weighted loss."""

import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SHARES = {"anger": 0.21, "disgust": 0.17, "fear": 0.08, "surprise": 0.10}


def utterances(count, share, seed):
    """Two modalities that each carry a part of the evidence."""
    truth = np.random.default_rng(77)
    audio_direction, text_direction = truth.normal(size=8), truth.normal(size=12)
    rng = np.random.default_rng(seed)
    labels = (rng.random(count) < share).astype(np.int64)
    sign = labels[:, None] * 2.0
    audio = rng.normal(size=(count, 8)) + 0.28 * sign * audio_direction
    text = rng.normal(size=(count, 12)) + 0.22 * sign * text_direction
    return TensorDataset(
        torch.tensor(audio, dtype=torch.float32), torch.tensor(text, dtype=torch.float32), torch.tensor(labels)
    )


class Fusion(nn.Module):
    def __init__(self, hidden, dropout):
        super().__init__()
        self.audio = nn.Sequential(nn.Linear(8, hidden), nn.ReLU())
        self.text = nn.Sequential(nn.Linear(12, hidden), nn.ReLU())
        self.gate = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Sigmoid())
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(hidden, 2)

    def forward(self, audio, text):
        a, t = self.audio(audio), self.text(text)
        gate = self.gate(torch.cat([a, t], dim=1))
        return self.head(self.dropout(gate * a + (1 - gate) * t))


def loss_weights(emotion):
    share = SHARES[emotion]
    return torch.tensor([1 / (1 - share), 1 / share])


@torch.no_grad()
def recalls(model, loader):
    model.eval()
    hits, seen = torch.zeros(2), torch.zeros(2)
    for audio, text, labels in loader:
        predicted = model(audio, text).argmax(1)
        for index in (0, 1):
            mask = labels == index
            seen[index] += mask.sum()
            hits[index] += (predicted[mask] == index).sum()
    return (hits / seen).tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--emotion", choices=sorted(SHARES), default="fear")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--l2", type=float, default=1e-4)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--dropout", type=float, default=0.2)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    share = SHARES[args.emotion]
    train_loader = DataLoader(utterances(3000, share, args.seed), args.batch_size, shuffle=True)
    valid_loader = DataLoader(utterances(1000, share, args.seed + 1), 500)
    model = Fusion(args.hidden, args.dropout)
    criterion = nn.CrossEntropyLoss(weight=loss_weights(args.emotion))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.l2)
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for audio, text, labels in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(audio, text), labels)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        calm, emotional = recalls(model, valid_loader)
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, recall without {calm:.3f}, with {emotional:.3f}")
    print(f"final mean recall {(calm + emotional) / 2:.3f}")


if __name__ == "__main__":
    main()
