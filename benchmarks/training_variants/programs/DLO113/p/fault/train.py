"""Transfer a pretrained trunk to a new label set: pretrain on ten digits, then tell even from odd."""
import torch
from sklearn.datasets import load_digits
from torch import nn


class DigitNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU())
        self.fc = nn.Linear(48, n_out)

    def forward(self, x):
        return self.fc(self.trunk(x))


def swap_head(net, n_out):
    net.fc = nn.Linear(net.fc.in_features, n_out)
    return net


def freeze(module):
    for p in module.parameters():
        p.requires_grad_(False)


def make_optimizer(net, lr):
    return torch.optim.SGD([p for p in net.parameters()], lr=lr, momentum=0.9)


def loop(net, optimizer, x, y, epochs, batch=50):
    net.train()
    for _ in range(epochs):
        for idx in torch.randperm(len(x)).split(batch):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
            loss.backward()
            optimizer.step()


@torch.no_grad()
def score(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(9)
    raw = load_digits()
    x, y = torch.tensor(raw.data / 16.0, dtype=torch.float32), torch.tensor(raw.target)
    order = torch.randperm(len(x))
    train, test = order[:1400], order[1400:]
    net = DigitNet(10)
    loop(net, make_optimizer(net, 0.1), x[train], y[train], epochs=4)
    print("pretraining accuracy", round(score(net, x[test], y[test]), 3))

    freeze(net.trunk)
    optimizer = make_optimizer(net, 0.05)
    net = swap_head(net, 2)
    parity = y % 2
    loop(net, optimizer, x[train], parity[train], epochs=4)
    print("parity accuracy", round(score(net, x[test], parity[test]), 3))


if __name__ == "__main__":
    main()
