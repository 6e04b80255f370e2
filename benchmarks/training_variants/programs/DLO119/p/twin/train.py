"""Logistic regression with proximal (soft-threshold) steps after each optimizer update."""
import argparse

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load(seed):
    x, y = load_breast_cancer(return_X_y=True)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.3, random_state=seed, stratify=y)
    scaler = StandardScaler().fit(x_tr)
    to = lambda a: torch.tensor(a, dtype=torch.float32)
    return to(scaler.transform(x_tr)), to(y_tr), to(scaler.transform(x_te)), to(y_te)


class SparseLogit(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = torch.nn.Parameter(0.01 * torch.randn(features))
        self.bias = torch.nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return x @ self.weight + self.bias

    @torch.no_grad()
    def shrink(self, amount):
        w = self.weight
        w.copy_(torch.sign(w) * (w.abs() - amount).clamp_min(0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--l1", type=float, default=0.02)
    parser.add_argument("--iterations", type=int, default=200)
    args = parser.parse_args()
    torch.manual_seed(13)
    x_tr, y_tr, x_te, y_te = load(seed=13)
    model = SparseLogit(x_tr.shape[1])
    sgd = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
    loss_fn = torch.nn.BCEWithLogitsLoss()
    for _ in range(args.iterations):
        sgd.zero_grad()
        loss_fn(model(x_tr), y_tr).backward()
        sgd.step()
        model.shrink(args.lr * args.l1)
    with torch.no_grad():
        accuracy = ((model(x_te) > 0).float() == y_te).float().mean()
        nonzero = int((model.weight != 0).sum())
    print(f"accuracy {accuracy.item():.3f} with {nonzero} features")


if __name__ == "__main__":
    main()
