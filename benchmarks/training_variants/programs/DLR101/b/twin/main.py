import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from utils import jitter, set_seed


class Encoder(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, out))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=1)


def contrastive_loss(a, b, temperature=0.2):
    logits = a @ b.T / temperature
    return nn.functional.cross_entropy(logits, torch.arange(len(a)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    set_seed(args.seed)
    data = TensorDataset(torch.randn(256, 16))
    loader = DataLoader(data, batch_size=32, shuffle=True)
    encoder = Encoder(16, 8)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        encoder.train()
        for (batch,) in loader:
            loss = contrastive_loss(encoder(jitter(batch)), encoder(jitter(batch)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.6f}")


if __name__ == "__main__":
    main()
