import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PatchMixer(nn.Module):
    def __init__(self, patches, dim, classes):
        super().__init__()
        self.token = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.mix = nn.Linear(patches, patches)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = x + self.token(x)
        x = x + self.mix(x.transpose(1, 2)).transpose(1, 2)
        return self.head(x.mean(1))


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--max-lr", type=float, default=5e-3)
    p.add_argument("--batch-size", type=int, default=16)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(0)
    x = torch.randn(192, 9, 12)
    y = (x[:, :3].mean((1, 2)) > x[:, 6:].mean((1, 2))).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=args.batch_size, shuffle=True)
    model = PatchMixer(9, 12, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.max_lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.max_lr, epochs=args.epochs, steps_per_epoch=len(loader)
    )
    model.train()
    for epoch in range(args.epochs):
        for images, labels in loader:
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"{epoch} lr {scheduler.get_last_lr()[0]:.6f} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
