"""Super-resolution of random textures: train, then report PSNR on held-out patches."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class EDSRLite(nn.Module):
    def __init__(self, channels=16, blocks=2, scale=2):
        super().__init__()
        self.head = nn.Conv2d(1, channels, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1))
            for _ in range(blocks)
        )
        self.up = nn.Sequential(nn.Conv2d(channels, scale * scale, 3, padding=1), nn.PixelShuffle(scale))

    def forward(self, low):
        h = self.head(low)
        for block in self.blocks:
            h = h + block(h)
        return self.up(h) + F.interpolate(low, scale_factor=2, mode="bilinear", align_corners=False)


def patches(count, size, seed):
    gen = torch.Generator().manual_seed(seed)
    coarse = torch.rand(count, 1, size // 4, size // 4, generator=gen)
    high = F.interpolate(coarse, size=(size, size), mode="bicubic", align_corners=False).clamp(0, 1)
    return F.avg_pool2d(high, 2), high


def psnr(mse):
    return -10 * torch.log10(mse)


def validate(model, low, high):
    model.eval()
    with torch.no_grad():
        mse = F.mse_loss(model(low), high)
        return psnr(mse)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()

    torch.manual_seed(0)
    low, high = patches(64, 32, seed=1)
    val_low, val_high = patches(16, 32, seed=2)
    model = EDSRLite()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.99))
    for step in range(args.steps):
        model.train()
        pick = torch.randint(0, len(low), (16,))
        loss = F.l1_loss(model(low[pick]), high[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 20 == 0:
            quality = validate(model, val_low, val_high)
            print(f"step {step + 1}: psnr {quality:.2f} dB (graph: {quality.requires_grad})")


if __name__ == "__main__":
    main()
