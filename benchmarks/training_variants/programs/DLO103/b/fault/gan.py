"""A GAN on a ring of Gaussians."""

import argparse
import math

import torch
from torch import nn


def ring(n):
    angle = torch.randint(0, 8, (n,)) * (2 * math.pi / 8)
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(n, 2)


class Generator(nn.Module):
    def __init__(self, z_dim=8):
        super().__init__()
        self.z_dim = z_dim
        self.net = nn.Sequential(nn.Linear(z_dim, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, n):
        return self.net(torch.randn(n, self.z_dim))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    opt = parser.parse_args()
    torch.manual_seed(7)
    generator, discriminator = Generator(), Discriminator()
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    adversarial = nn.BCEWithLogitsLoss()
    real_label, fake_label = torch.ones(opt.batch), torch.zeros(opt.batch)

    for step in range(opt.steps):
        fake = generator(opt.batch)

        optimizer_d.zero_grad()
        real_loss = adversarial(discriminator(ring(opt.batch)), real_label)
        fake_loss = adversarial(discriminator(fake.detach()), fake_label)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()

        optimizer_g.zero_grad()
        g_loss = adversarial(discriminator(fake), real_label)
        g_loss.backward()
        optimizer_g.step()
        if step % 25 == 0:
            print(f"[{step}] D {d_loss.item():.4f} G {g_loss.item():.4f}")


if __name__ == "__main__":
    main()
