"""A wide network is trained first, then a narrow one on its soft answers."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
inner, outer = torch.randn(10, 8), torch.randn(8, 4)
x = torch.randn(2500, 10)
y = (torch.tanh(x @ inner * 0.5) @ outer).argmax(1)


def network(width):
    return nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))


def fit(model, loss_of, epochs, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    model.train()
    for _ in range(epochs):
        for rows in torch.randperm(2000).split(50):
            loss = loss_of(model(x[rows]), rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        return (model(x[2000:]).argmax(1) == y[2000:]).float().mean().item()


teacher, student = network(96), network(12)
print(f"teacher {fit(teacher, lambda logits, rows: F.cross_entropy(logits, y[rows]), 8, 2e-3):.3f}")
with torch.no_grad():
    soft = (teacher(x) / 2.0).softmax(1)


def distilled(logits, rows):
    matched = F.kl_div((logits / 2.0).log_softmax(1), soft[rows], reduction="batchmean") * 4
    return 0.7 * matched + 0.3 * F.cross_entropy(logits, y[rows])


print(f"student {fit(student, distilled, 10, 5e-3):.3f}")
