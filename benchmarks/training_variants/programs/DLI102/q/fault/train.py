"""Low-rank bilinear pooling for question answering over attribute vectors."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BilinearPool(nn.Module):
    def __init__(self, left, right, rank, out):
        super().__init__()
        self.left = nn.Parameter(torch.Tensor(left, rank))
        self.right = nn.Parameter(torch.Tensor(right, rank))
        self.project = nn.Linear(rank, out)
        self.project.reset_parameters()

    def forward(self, a, b):
        return self.project(torch.tanh(a @ self.left) * torch.tanh(b @ self.right))


def questions(n, seed):
    gen = torch.Generator().manual_seed(seed)
    a, b = torch.randn(n, 12, generator=gen), torch.randn(n, 18, generator=gen)
    return TensorDataset(a, b, (a[:, 0] * b[:, 0] > 0).long())


def fit(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    for _ in range(epochs):
        model.train()
        for a, b, answer in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a, b), answer).backward()
            optimizer.step()


def main():
    torch.manual_seed(58)
    loader = DataLoader(questions(1000, 1), batch_size=50, shuffle=True)
    model = BilinearPool(12, 18, 16, 2)
    size = model.left.abs().mean().item()
    fit(model, loader, epochs=10)
    model.eval()
    a, b, answer = questions(500, 2).tensors
    with torch.no_grad():
        accuracy = (model(a, b).argmax(1) == answer).float().mean().item()
    print(f"mean size of the left factor at the start {size:.3g}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
