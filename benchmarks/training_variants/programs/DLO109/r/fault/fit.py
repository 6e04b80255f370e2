"""Fit a network, keep track of the validation loss."""
import torch
from torch import nn


def validation_loss(net, criterion, loader):
    net.eval()
    losses = []
    for x, y in loader:
        losses.append(criterion(net(x), y).item())
    return sum(losses) / len(losses)


def fit(net, criterion, train, valid, epochs):
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(epoch, validation_loss(net, criterion, valid))


def main():
    torch.manual_seed(0)
    x = torch.randn(150, 4)
    y = x.prod(dim=1, keepdim=True)
    batches = list(zip(x.split(15), y.split(15)))
    net = nn.Sequential(nn.Linear(4, 32), nn.GELU(), nn.Linear(32, 1))
    fit(net, nn.HuberLoss(), batches[:7], batches[7:], epochs=4)


if __name__ == "__main__":
    main()
