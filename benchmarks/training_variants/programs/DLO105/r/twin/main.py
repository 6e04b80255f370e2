import torch
from torch import nn

from evaluate import Evaluator


def main():
    torch.manual_seed(0)
    x = torch.randn(160, 4)
    y = x.sum(1, keepdim=True)
    train = list(zip(x[:120].split(20), y[:120].split(20)))
    valid = list(zip(x[120:].split(20), y[120:].split(20)))
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    evaluator = Evaluator(nn.functional.mse_loss)
    for epoch in range(5):
        for xb, yb in train:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(xb), yb).backward()
            optimizer.step()
        print(epoch, evaluator(net, valid))


if __name__ == "__main__":
    main()
