import argparse
import random

import numpy as np
import torch
from torch import nn


def make_reproducible(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True


class VideoNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv3d(1, 6, 3), nn.BatchNorm3d(6), nn.ReLU(), nn.AdaptiveAvgPool3d(2))
        self.fc = nn.Linear(48, classes)

    def forward(self, clip):
        return self.fc(self.conv(clip).flatten(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    make_reproducible(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    clips, labels = torch.randn(24, 1, 6, 10, 10), torch.randint(0, 3, (24,))
    model = VideoNet(3).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for x, y in zip(clips.split(8), labels.split(8)):
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    print("loss %.4f, benchmark %s" % (loss.item(), torch.backends.cudnn.benchmark))


if __name__ == "__main__":
    main()
