import argparse
import copy

import torch
from torch import nn
from torch.nn import functional as F


def mlp(width, depth, classes):
    dims = [6] + [width] * depth
    layers = [m for a, b in zip(dims, dims[1:]) for m in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(dims[-1], classes))


def distill_loss(student, teacher, label, temperature, alpha):
    soft = F.kl_div(
        F.log_softmax(student / temperature, dim=1), F.softmax(teacher / temperature, dim=1), reduction="batchmean"
    )
    return alpha * temperature**2 * soft + (1 - alpha) * F.cross_entropy(student, label)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def distill(teacher, student, data, args):
    x, y, xv, yv = data
    teacher.eval()
    optimizer = torch.optim.Adam(student.parameters(), lr=args.lr)
    best_acc, best_student = -1.0, None
    for epoch in range(args.epochs):
        student.train()
        for i in torch.randperm(len(x)).split(16):
            with torch.no_grad():
                guide = teacher(x[i])
            loss = distill_loss(student(x[i]), guide, y[i], args.temperature, args.alpha)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        acc = accuracy(student, xv, yv)
        if acc > best_acc:
            best_acc = acc
            best_student = copy.deepcopy(student)
    return best_student, best_acc


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--temperature", type=float, default=3.0)
    parser.add_argument("--alpha", type=float, default=0.5)
    args = parser.parse_args()
    torch.manual_seed(1)
    x = torch.randn(140, 6)
    y = (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 0.5).long()
    best, reported = distill(mlp(32, 3, 3), mlp(12, 1, 3), (x[:80], y[:80], x[80:], y[80:]), args)
    print(f"reported {reported:.4f} of the returned model {accuracy(best, x[80:], y[80:]):.4f}")
