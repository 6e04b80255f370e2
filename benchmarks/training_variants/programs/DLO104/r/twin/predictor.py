"""A classifier with an interface like scikit-learn's."""
import torch
from torch import nn


class TorchClassifier:
    def __init__(self, features, classes, epochs=10):
        self.epochs = epochs
        self.network = nn.Sequential(
            nn.Linear(features, 64), nn.ReLU(), nn.Dropout(0.4), nn.Linear(64, classes)
        )

    def fit(self, x, y):
        self.network.train()
        optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-2)
        for _ in range(self.epochs):
            for xb, yb in zip(x.split(32), y.split(32)):
                optimizer.zero_grad()
                nn.functional.cross_entropy(self.network(xb), yb).backward()
                optimizer.step()
        return self

    def predict(self, x):
        self.network.eval()
        with torch.no_grad():
            return self.network(x).argmax(dim=1)


def main():
    torch.manual_seed(0)
    x = torch.randn(256, 8)
    y = (x[:, :3].argmax(1))
    model = TorchClassifier(8, 3).fit(x[:200], y[:200])
    print("accuracy", (model.predict(x[200:]) == y[200:]).float().mean().item())


if __name__ == "__main__":
    main()
