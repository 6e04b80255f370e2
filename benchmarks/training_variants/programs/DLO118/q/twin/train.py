"""Gradient descent by hand on a small softmax model, no optimizer class."""
import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import load_iris


def standardised(seed):
    x, y = load_iris(return_X_y=True)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    x, y = torch.tensor(x, dtype=torch.float32)[order], torch.tensor(y)[order]
    mean, std = x[:100].mean(0), x[:100].std(0)
    x = (x - mean) / std
    return (x[:100], y[:100]), (x[100:], y[100:])


def glorot(rows, cols, gen):
    bound = (6 / (rows + cols)) ** 0.5
    return (bound * (2 * torch.rand(rows, cols, generator=gen) - 1)).requires_grad_()


class Model:
    def __init__(self, sizes, gen):
        self.weights = [glorot(a, b, gen) for a, b in zip(sizes, sizes[1:])]
        self.biases = [torch.zeros(b, requires_grad=True) for b in sizes[1:]]

    def parameters(self):
        return [*self.weights, *self.biases]

    def logits(self, x):
        last = len(self.weights) - 1
        for i, (w, b) in enumerate(zip(self.weights, self.biases)):
            x = x @ w + b
            x = x if i == last else torch.tanh(x)
        return x


def descend(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            p -= lr * p.grad
            p.grad = None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.2)
    ap.add_argument("--iterations", type=int, default=200)
    args = ap.parse_args()
    (x, y), (tx, ty) = standardised(seed=3)
    model = Model([4, 16, 3], torch.Generator().manual_seed(1))
    for i in range(args.iterations):
        loss = F.cross_entropy(model.logits(x), y)
        loss.backward()
        descend(model.parameters(), args.lr)
    with torch.no_grad():
        accuracy = (model.logits(tx).argmax(1) == ty).float().mean().item()
    print(f"train loss {loss.item():.3f}, test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
