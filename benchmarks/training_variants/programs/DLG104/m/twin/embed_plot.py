import numpy as np
import torch
from sklearn.metrics import silhouette_score
from torch import nn
from torch.nn import functional as F


class Contrast(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, x):
        return F.normalize(self.trunk(x), dim=-1)


class SilhouetteMeter:
    """Collects the embeddings of an epoch and scores how well the classes are apart."""

    def __init__(self):
        self.parts, self.labels = [], []

    def update(self, z, y):
        self.parts.append(z.detach())
        self.labels.append(y)

    def compute(self):
        z = np.concatenate([part.numpy() for part in self.parts])
        return silhouette_score(z, torch.cat(self.labels).numpy())


def contrastive(z, y, margin=0.5):
    distance = torch.cdist(z, z)
    same = y[:, None] == y[None, :]
    return torch.where(same, distance**2, (margin - distance).clamp(min=0) ** 2).mean()


def main():
    torch.manual_seed(2)
    y = torch.arange(60) % 3
    x = torch.randn(60, 8) + 3 * F.one_hot(y, 8)
    net = Contrast()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    meter = SilhouetteMeter()
    for xb, yb in zip(x.split(20), y.split(20)):
        z = net(xb)
        opt.zero_grad()
        contrastive(z, yb).backward()
        opt.step()
        meter.update(z, yb)
    print(round(float(meter.compute()), 3))


if __name__ == "__main__":
    main()
