"""One trunk, a head for a class and a head for a number; the losses are weighed by learnt variances."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.kind, self.size = nn.Linear(64, 3), nn.Linear(64, 1)
        self.log_variance = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.trunk(x)
        return self.kind(h), self.size(h).squeeze(1)

    def loss(self, x, kind, size):
        logits, guess = self(x)
        losses = torch.stack([F.cross_entropy(logits, kind), F.mse_loss(guess, size)])
        return (losses * (-self.log_variance).exp() + self.log_variance).sum()


def main(seed):
    torch.manual_seed(seed)
    weights = torch.randn(10, 3)
    direction = torch.randn(10) / 3
    x = torch.randn(2500, 10)
    kind, size = (x @ weights).argmax(1), torch.sin(x @ direction) + 0.1 * torch.randn(2500)
    loader = DataLoader(TensorDataset(x[:2000], kind[:2000], size[:2000]), 50, shuffle=True)
    model = TwoHeads()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(8):
        for batch in loader:
            loss = model.loss(*batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            logits, guess = model(x[2000:])
            accuracy = (logits.argmax(1) == kind[2000:]).float().mean()
            error = (guess - size[2000:]).abs().mean()
        print(f"epoch {epoch}: accuracy {accuracy:.3f}, error {error:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
