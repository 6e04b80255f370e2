"""Knowledge distillation into a small student; both networks are compared on held-out data."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(width, depth):
    layers = [nn.Linear(16, width), nn.ReLU()]
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.ReLU(), nn.Dropout(0.1)]
    return nn.Sequential(*layers, nn.Linear(width, 6))


def dataset(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 16, generator=gen)
    w = torch.randn(16, 6, generator=torch.Generator().manual_seed(0))
    return TensorDataset(x, torch.tanh(x @ w).argmax(1))


def fit_teacher(net, loader, epochs):
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    net.train()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            opt.step()


def distil(student, teacher, loader, args):
    teacher.eval()
    student.train()
    opt = torch.optim.AdamW(student.parameters(), lr=args.lr, weight_decay=1e-3)
    for _ in range(args.epochs):
        for x, y in loader:
            with torch.no_grad():
                soft = F.softmax(teacher(x) / args.T, dim=1)
            logits = student(x)
            kd = F.kl_div(F.log_softmax(logits / args.T, dim=1), soft, reduction="batchmean") * args.T**2
            loss = 0.7 * kd + 0.3 * F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()


def test(net, loader):
    net.eval()
    correct, nll = 0, 0.0
    with torch.inference_mode():
        for x, y in loader:
            logits = net(x)
            nll += F.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(1) == y).sum().item()
    return correct / len(loader.dataset), nll / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("-T", type=float, default=3.0)
    args = parser.parse_args()
    torch.manual_seed(7)
    train = DataLoader(dataset(1500, 1), batch_size=50, shuffle=True)
    held_out = DataLoader(dataset(500, 2), batch_size=100)
    teacher, student = build(96, 2), build(24, 0)
    fit_teacher(teacher, train, args.epochs)
    distil(student, teacher, train, args)
    for name, net in (("teacher", teacher), ("student", student)):
        print(name, "accuracy %.3f nll %.3f" % test(net, held_out))


if __name__ == "__main__":
    main()
