"""Batch-normalised MLP; the last batch of an epoch is what remains."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def table(n=257, seed=0):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 6, generator=gen)
    return TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long())


class Tabular(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.first = nn.Linear(6, width, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.relu(self.norm(self.first(x))))


def main(epochs=3):
    torch.manual_seed(0)
    loader = DataLoader(table(), batch_size=32, shuffle=True, drop_last=True)
    model = Tabular()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
