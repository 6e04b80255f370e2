"""Gradient descent with momentum, written by hand."""
import torch


class Momentum:
    def __init__(self, params, lr=0.01, beta=0.9):
        self.params = list(params)
        self.lr, self.beta = lr, beta
        self.buffers = [torch.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        with torch.no_grad():
            for p, buffer in zip(self.params, self.buffers):
                buffer.mul_(self.beta).add_(p.grad)
                p.add_(buffer, alpha=-self.lr)
