import numpy as np
import torch
from torch import nn


class Gestures(nn.Module):
    def __init__(self):
        super().__init__()
        self.temporal = nn.Sequential(nn.Conv1d(6, 12, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4))
        self.out = nn.Linear(48, 5)

    def forward(self, x):
        return self.out(self.temporal(x).flatten(1))


class Loop:
    def __init__(self, device):
        self.device = device
        self.net = Gestures().to(device)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.ce = nn.CrossEntropyLoss()

    def epoch(self, x, y, batch):
        hits = torch.zeros((), dtype=torch.long, device=self.device)
        for rows in torch.randperm(len(x)).split(batch):
            bx, by = x[rows].to(self.device), y[rows].to(self.device)
            scores = self.net(bx)
            loss = self.ce(scores, by)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            hits += (scores.argmax(1) == by).sum()
        return int(hits) / len(x)


if __name__ == "__main__":
    torch.manual_seed(2)
    y = torch.arange(100) % 5
    x = torch.randn(100, 6, 30)
    x[torch.arange(100), y] += 1.0
    loop = Loop("cuda" if torch.cuda.is_available() else "cpu")
    for e in range(4):
        print("epoch %d accuracy %.3f" % (e, loop.epoch(x, y, 20)))
