"""Factorise a table of ratings by hand-written gradient descent."""

import torch


class Factors:
    def __init__(self, rows, cols, rank):
        self.user = (0.1 * torch.randn(rows, rank)).requires_grad_()
        self.item = (0.1 * torch.randn(cols, rank)).requires_grad_()
        self.bias = torch.zeros(cols, requires_grad=True)

    @property
    def tensors(self):
        return [self.user, self.item, self.bias]

    def predict(self, r, c):
        return (self.user[r] * self.item[c]).sum(dim=1) + self.bias[c]


class GradientDescent:
    def __init__(self, tensors, rate):
        self.tensors = tensors
        self.rate = rate

    def clear(self):
        for t in self.tensors:
            t.grad = None

    def move(self):
        for t in self.tensors:
            t -= self.rate * t.grad


def ratings(rows, cols, rank, n):
    truth = torch.randn(rows, rank) @ torch.randn(rank, cols)
    r, c = torch.randint(0, rows, (n,)), torch.randint(0, cols, (n,))
    return r, c, truth[r, c]


def main():
    torch.manual_seed(0)
    r, c, value = ratings(30, 20, 3, 400)
    factors = Factors(30, 20, 3)
    descent = GradientDescent(factors.tensors, rate=5.0)
    for iteration in range(200):
        descent.clear()
        error = (factors.predict(r, c) - value).pow(2).mean()
        error.backward()
        descent.move()
        if iteration % 50 == 0:
            print(iteration, round(error.item(), 4))


if __name__ == "__main__":
    main()
