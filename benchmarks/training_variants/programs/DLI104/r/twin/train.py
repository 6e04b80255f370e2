import torch
from torch import nn

from model import Perceptron


def main():
    torch.manual_seed(0)
    x = torch.randn(256, 20)
    y = x[:, :4].argmax(dim=1)
    net = Perceptron()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(10):
        for xb, yb in zip(x.split(32), y.split(32)):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.backward()
            optimizer.step()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
