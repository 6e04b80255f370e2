"""Learn a score from pairs: which of two items was preferred."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def pairs(count, taste):
    left, right = torch.randn(count, 12), torch.randn(count, 12)
    wins = torch.bernoulli(torch.sigmoid(3 * (torch.tanh(left) @ taste - torch.tanh(right) @ taste)))
    return TensorDataset(left, right, wins)


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, items):
        return self.layers(items).squeeze(-1)


def main(seed):
    torch.manual_seed(seed)
    taste = torch.randn(12)
    train_loader = DataLoader(pairs(3000, taste), 60, shuffle=True)
    left, right, wins = pairs(600, taste).tensors
    model = Scorer()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(8):
        for a, b, won in train_loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(a) - model(b), won)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right_order = ((model(left) > model(right)) == wins.bool()).float().mean()
        print(f"epoch {epoch}: loss {loss.item():.4f}, right order {right_order:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
