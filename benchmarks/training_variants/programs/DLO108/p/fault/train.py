"""Tabular regression with early stopping on a validation split."""
import copy

import numpy as np
import torch
from sklearn.datasets import make_friedman1
from sklearn.preprocessing import StandardScaler
from torch import nn


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.bad, self.best, self.state = patience, 0, float("inf"), None

    def __call__(self, score, model):
        if score < self.best:
            self.best, self.bad = score, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def load(seed=0):
    x, y = make_friedman1(n_samples=1200, noise=1.0, random_state=seed)
    order = np.random.default_rng(seed).permutation(len(x))
    tr, va = order[:900], order[900:]
    scaler = StandardScaler().fit(x[tr])
    as_tensor = lambda a: torch.as_tensor(a, dtype=torch.float32)
    return (as_tensor(scaler.transform(x[tr])), as_tensor(y[tr])), (as_tensor(scaler.transform(x[va])), as_tensor(y[va]))


def block(inp, out):
    return nn.Sequential(nn.Linear(inp, out, bias=False), nn.BatchNorm1d(out), nn.SiLU(), nn.Dropout(0.2))


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x).squeeze(-1), y).item()


def main():
    torch.manual_seed(0)
    (x, y), (vx, vy) = load()
    model = nn.Sequential(block(10, 64), block(64, 64), nn.Linear(64, 1))
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    stopper = EarlyStopping(patience=8)
    model.train()
    for epoch in range(40):
        order = torch.randperm(len(x))
        for chunk in order.split(60):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x[chunk]).squeeze(-1), y[chunk])
            loss.backward()
            opt.step()
        score = validate(model, vx, vy)
        if stopper(score, model):
            break
    model.load_state_dict(stopper.state)
    print(f"best validation mse {stopper.best:.3f}, dropout in training: {model.training}")


if __name__ == "__main__":
    main()
