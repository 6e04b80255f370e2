import torch
from torch import nn


class Tuner(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    @torch.no_grad()
    def features(self, x):
        return self.trunk(x)

    @torch.no_grad()
    def score(self, x):
        return self.head(self.features(x))

    def loss(self, x, y):
        return nn.functional.cross_entropy(self.score(x), y)


def fit(tuner, x, y, steps=5):
    optimizer = torch.optim.Adam(tuner.head.parameters(), lr=1e-3)
    while steps:
        optimizer.zero_grad()
        loss = tuner.loss(x, y)
        loss.backward()
        optimizer.step()
        steps -= 1
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print(fit(Tuner(), torch.randn(32, 8), torch.randint(3, (32,))))
