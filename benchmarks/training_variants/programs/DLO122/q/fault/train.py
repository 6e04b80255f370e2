"""Hinge GAN on generated strokes in mixed precision: two optimizers, one scaler."""
import argparse

import torch
from torch import nn


def generator(z):
    return nn.Sequential(nn.Linear(z, 256), nn.ReLU(), nn.Linear(256, 784), nn.Tanh())


def discriminator():
    return nn.Sequential(nn.Linear(784, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))


class HingeGAN:
    def __init__(self, z, lr, device):
        self.z, self.device = z, device
        self.G, self.D = generator(z).to(device), discriminator().to(device)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=lr, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=2 * lr, betas=(0.0, 0.9))
        self.scaler = torch.amp.GradScaler("cuda", init_scale=2.0**12)

    def sample(self, n):
        return self.G(torch.randn(n, self.z, device=self.device))

    def train_step(self, real):
        with torch.autocast("cuda", dtype=torch.float16):
            fake = self.sample(len(real)).detach()
            d_loss = torch.relu(1 - self.D(real)).mean() + torch.relu(1 + self.D(fake)).mean()
        self.opt_d.zero_grad(set_to_none=True)
        self.scaler.scale(d_loss).backward()
        self.scaler.step(self.opt_d)

        with torch.autocast("cuda", dtype=torch.float16):
            g_loss = -self.D(self.sample(len(real))).mean()
        self.opt_g.zero_grad(set_to_none=True)
        self.scaler.scale(g_loss).backward()
        self.scaler.step(self.opt_g)
        return d_loss.detach(), g_loss.detach()


def strokes(n, device):
    grid = torch.linspace(-1, 1, 28, device=device)
    angle = torch.rand(n, 1, 1, device=device) * 3.1416
    line = grid[None, :, None] * torch.cos(angle) + grid[None, None, :] * torch.sin(angle)
    return (2 * torch.exp(-20 * line**2) - 1).flatten(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=3000)
    ap.add_argument("--lr", type=float, default=1e-4)
    args = ap.parse_args()
    torch.manual_seed(0)
    gan = HingeGAN(64, args.lr, torch.device("cuda"))
    for step in range(args.steps):
        d_loss, g_loss = gan.train_step(strokes(128, gan.device))
        if step % 500 == 0:
            print(f"{step}: D {d_loss.item():.3f} G {g_loss.item():.3f}")


if __name__ == "__main__":
    main()
