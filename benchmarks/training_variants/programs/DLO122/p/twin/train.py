"""Mixed-precision training of a U-Net-like segmenter on generated discs."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, Dataset


class Discs(Dataset):
    def __init__(self, count, size=64):
        self.count, self.size = count, size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        gen = torch.Generator().manual_seed(index)
        cx, cy, r = torch.rand(3, generator=gen) * self.size * torch.tensor([1.0, 1.0, 0.3])
        yy, xx = torch.meshgrid(torch.arange(self.size), torch.arange(self.size), indexing="ij")
        mask = ((xx - cx) ** 2 + (yy - cy) ** 2 < r**2).float()[None]
        return mask + 0.5 * torch.randn(mask.shape, generator=gen), mask


def double(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class MiniUNet(nn.Module):
    def __init__(self, base=16):
        super().__init__()
        self.enc1, self.enc2 = double(1, base), double(base, 2 * base)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.dec = double(2 * base, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(F.max_pool2d(a, 2))
        return self.out(self.dec(torch.cat([a, self.up(b)], dim=1)))


class AmpTrainer:
    def __init__(self, net, lr, device):
        self.net, self.device = net.to(device), device
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=1e-4)
        self.scaler = GradScaler("cuda")

    def train_batch(self, image, mask):
        image, mask = image.to(self.device, non_blocking=True), mask.to(self.device, non_blocking=True)
        self.optimizer.zero_grad(set_to_none=True)
        with autocast("cuda", dtype=torch.float16):
            loss = F.binary_cross_entropy_with_logits(self.net(image), mask)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--lr", type=float, default=3e-4)
    ap.add_argument("--workers", type=int, default=4)
    opt = ap.parse_args()
    torch.manual_seed(0)
    trainer = AmpTrainer(MiniUNet(), opt.lr, torch.device("cuda"))
    loader = DataLoader(Discs(512), batch_size=32, shuffle=True, num_workers=opt.workers, pin_memory=True)
    for epoch in range(opt.epochs):
        trainer.net.train()
        losses = [trainer.train_batch(image, mask) for image, mask in loader]
        print(f"epoch {epoch}: bce {torch.stack(losses).mean().item():.4f}")


if __name__ == "__main__":
    main()
