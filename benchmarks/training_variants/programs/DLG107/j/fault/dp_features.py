import argparse

import torch
from torch import nn


class ReID(nn.Module):
    def __init__(self, identities, dim=16):
        super().__init__()
        self.base = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.neck = nn.Linear(32, dim)
        self.identity = nn.Linear(dim, identities)

    def extract(self, images):
        return nn.functional.normalize(self.neck(self.base(images)), dim=1)

    def forward(self, images):
        return self.identity(self.neck(self.base(images)))


def train(model, images, labels, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    model.train()
    for _ in range(epochs):
        for x, y in zip(images.split(12), labels.split(12)):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


@torch.no_grad()
def rank1(model, images, labels):
    model.eval()
    features = model.extract(images)
    similarity = features @ features.t()
    similarity.fill_diagonal_(-1)
    return (labels[similarity.argmax(1)] == labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(0)
    labels = torch.arange(48) % 6
    images = torch.rand(48, 3, 16, 16) + labels.view(-1, 1, 1, 1) / 3
    model = nn.DataParallel(ReID(6))
    train(model, images, labels, args.epochs)
    print("rank-1", round(rank1(model, images, labels), 3))


if __name__ == "__main__":
    main()
