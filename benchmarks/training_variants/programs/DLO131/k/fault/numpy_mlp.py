import argparse

import numpy as np


class Dense:
    def __init__(self, rng, cin, cout):
        self.w = rng.normal(0, np.sqrt(1 / cin), (cin, cout))
        self.b = np.zeros(cout)

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, grad, lr):
        back = grad @ self.w.T
        self.w -= lr * self.x.T @ grad
        self.b -= lr * grad.sum(axis=0)
        return back


class Tanh:
    def forward(self, x):
        self.out = np.tanh(x)
        return self.out

    def backward(self, grad, lr):
        return grad * self.out * (1 - self.out)


class Network:
    def __init__(self, *layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def train(self, x, y, lr, epochs):
        for epoch in range(epochs):
            error = self.forward(x) - y
            grad = 2 * error / len(x)
            for layer in reversed(self.layers):
                grad = layer.backward(grad, lr)
        return float((error**2).mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=300)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (128, 1))
    network = Network(Dense(rng, 1, 16), Tanh(), Dense(rng, 16, 16), Tanh(), Dense(rng, 16, 1))
    print("mse", round(network.train(x, np.sin(2 * x), args.lr, args.epochs), 4))
