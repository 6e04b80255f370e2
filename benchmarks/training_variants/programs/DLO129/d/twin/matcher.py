"""Learn to match question and answer vectors, keeping the best model on held-out pairs."""
import copy

import torch
import torch.nn as nn


class Bilinear(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.left = nn.Linear(dim, dim)
        self.right = nn.Linear(dim, dim)

    def forward(self, q, a):
        return self.left(q) @ self.right(a).T


def accuracy(model, q, a):
    model.eval()
    with torch.no_grad():
        return (model(q, a).argmax(1) == torch.arange(len(q))).float().mean().item()


def train_best(model, train, held_out, epochs=60, lr=0.05):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    top, winner = -1.0, copy.deepcopy(model)
    for _ in range(epochs):
        model.train()
        optimizer.zero_grad()
        scores = model(*train)
        loss = nn.functional.cross_entropy(scores, torch.arange(len(scores)))
        loss.backward()
        optimizer.step()
        score = accuracy(model, *held_out)
        if score > top:
            top = score
            winner = copy.deepcopy(model)
    return winner, top


def pairs(n, dim, mix):
    q = torch.randn(n, dim)
    return q, q @ mix + 2.0 * torch.randn(n, dim)


if __name__ == "__main__":
    torch.manual_seed(4)
    mix = torch.randn(10, 10)
    train, held_out = pairs(25, 10, mix), pairs(25, 10, mix)
    winner, top = train_best(Bilinear(10), train, held_out)
    print("top %.3f, returned model %.3f" % (top, accuracy(winner, *held_out)))
