import argparse
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def class_weights(labels, classes):
    counts = torch.bincount(labels, minlength=classes).clamp(min=1).float()
    return counts.sum() / (classes * counts)


def on(device, *tensors):
    return tuple(t.to(device, non_blocking=True) for t in tensors)


def epoch(net, opt, criterion, batches, device):
    net.train()
    last = None
    for pair in batches:
        x, y = on(device, *pair)
        opt.zero_grad()
        last = criterion(net(x), y)
        last.backward()
        opt.step()
    return last.item()


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(11)
    device = torch.device("cuda")
    x, y = torch.randn(96, 10), torch.randint(args.classes, (96,))
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, args.classes))
    net.to(device)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    criterion = partial(F.cross_entropy, weight=class_weights(y, args.classes).to(device))
    batches = list(zip(x.split(32), y.split(32)))
    for number in range(args.epochs):
        print(number, epoch(net, opt, criterion, batches, device))


if __name__ == "__main__":
    main()
