"""Mean teacher: the student is pulled towards an exponential average of its own predictions."""
import torch
from torch import nn


class Student(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(5, width), nn.Tanh(), nn.Linear(width, 3))

    def forward(self, x):
        return self.f(x)


class Memory:
    """Running average of the logits of each example."""

    def __init__(self, n, classes, momentum=0.8):
        self.table, self.momentum = torch.zeros(n, classes), momentum

    def update(self, index, logits):
        fresh = logits.detach()
        self.table[index] = self.momentum * self.table[index] + (1 - self.momentum) * fresh
        return self.table[index]


def clusters(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    return torch.randn(n, 5, generator=gen) + 1.5 * torch.eye(3, 5)[y], y


def main(epochs=10, labelled=30):
    torch.manual_seed(36)
    gen = torch.Generator().manual_seed(37)
    x, y = clusters(600, gen)
    model, memory = Student(), Memory(len(x), 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.99))
    for epoch in range(epochs):
        model.train()
        for index in torch.randperm(len(x)).split(60):
            logits = model(x[index])
            known = index < labelled
            agreement = nn.functional.mse_loss(logits, memory.update(index, logits))
            supervised = nn.functional.cross_entropy(logits[known], y[index][known]) if known.any() else 0.0
            optimizer.zero_grad()
            (supervised + 0.3 * agreement).backward()
            optimizer.step()
    model.eval()
    tx, ty = clusters(500, gen)
    with torch.no_grad():
        print("accuracy", round((model(tx).argmax(1) == ty).float().mean().item(), 3))


if __name__ == "__main__":
    main()
