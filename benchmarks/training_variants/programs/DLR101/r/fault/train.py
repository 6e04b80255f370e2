"""A classifier of the wine data."""
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn


def data():
    x, y = load_wine(return_X_y=True)
    return train_test_split(x, y, test_size=0.25)


def fit(net, x, y):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(50):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def main():
    x_train, x_test, y_train, y_test = data()
    mean, std = x_train.mean(0), x_train.std(0)
    to_tensor = lambda x: torch.tensor((x - mean) / std, dtype=torch.float32)
    net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
    fit(net, to_tensor(x_train), torch.tensor(y_train))
    with torch.no_grad():
        print((net(to_tensor(x_test)).argmax(1) == torch.tensor(y_test)).float().mean().item())


if __name__ == "__main__":
    main()
