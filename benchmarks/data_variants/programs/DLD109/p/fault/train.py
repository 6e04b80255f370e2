"""Wine quality by a small torch network."""
import argparse

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn


def load(test_share, seed):
    features, target = load_wine(return_X_y=True)
    train_x, train_y, test_x, test_y = train_test_split(features, target, test_size=test_share, random_state=seed)
    scaler = StandardScaler().fit(train_x)
    to_float = lambda a: torch.as_tensor(scaler.transform(a), dtype=torch.float32)
    return to_float(train_x), torch.as_tensor(train_y), to_float(test_x), torch.as_tensor(test_y)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--test-share", type=float, default=0.25)
    parser.add_argument("--epochs", type=int, default=15)
    args = parser.parse_args()
    torch.manual_seed(4)
    train_x, train_y, test_x, test_y = load(args.test_share, seed=4)
    model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(args.epochs):
        model.train()
        for index in torch.randperm(len(train_x)).split(16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(train_x[index]), train_y[index]).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print("accuracy", round((model(test_x).argmax(1) == test_y).float().mean().item(), 3))


if __name__ == "__main__":
    main()
