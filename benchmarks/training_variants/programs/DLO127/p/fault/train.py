"""Image-patch classifier whose regularisation is set from the command line."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def gratings(n, seed, size=16):
    gen = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 4, (n,), generator=gen)
    angle = y * torch.pi / 4
    axis = torch.linspace(-3, 3, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    wave = torch.sin(3 * (xx * torch.cos(angle)[:, None, None] + yy * torch.sin(angle)[:, None, None]))
    return TensorDataset((wave + 0.6 * torch.randn(wave.shape, generator=gen)).unsqueeze(1), y)


class PatchNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 5, padding=2, bias=False), nn.GroupNorm(4, width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.GroupNorm(4, width), nn.ReLU(),
        )
        self.classify = nn.Linear(width, 4)

    def forward(self, x):
        return self.classify(self.features(x).mean(dim=(2, 3)))


def get_optimizer(model, args):
    return torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--weight-decay", type=float, default=0.05)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    torch.manual_seed(8)
    train = DataLoader(gratings(600, 1), batch_size=50, shuffle=True)
    test = gratings(200, 2)
    model = PatchNet(16)
    optimizer = get_optimizer(model, args)
    for _ in range(args.epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(test.tensors[0])
    norm = model.classify.weight.norm().item()
    print(f"accuracy {(logits.argmax(1) == test.tensors[1]).float().mean().item():.3f}, head norm {norm:.3f}")


if __name__ == "__main__":
    main()
