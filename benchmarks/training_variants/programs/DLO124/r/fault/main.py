import torch
from torch import nn

from config import Config


def make_optimizer(net, config):
    return torch.optim.AdamW(net.parameters(), lr=config.lr, betas=config.betas, weight_decay=config.weight_decay)


def main():
    config = Config()
    torch.manual_seed(0)
    x = torch.randn(128, 7)
    y = (x.sum(1) > 0).long()
    net = nn.Sequential(nn.Linear(7, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
    optimizer = make_optimizer(net, config.optimizer)
    for epoch in range(config.epochs):
        for xb, yb in zip(x.split(16), y.split(16)):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
