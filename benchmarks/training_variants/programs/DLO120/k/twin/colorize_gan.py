import argparse

import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, 1, 1), nn.LeakyReLU(0.2))


class Colorizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(block(1, 8), block(8, 8), nn.Conv2d(8, 2, 3, 1, 1), nn.Tanh())

    def forward(self, luminance):
        return self.net(luminance)


class PatchCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(block(3, 8), nn.AvgPool2d(2), nn.Conv2d(8, 1, 3, 1, 1))

    def forward(self, luminance, colour):
        return self.net(torch.cat([luminance, colour], dim=1))


class ColorGAN:
    def __init__(self, lr, l1):
        self.gen, self.critic, self.l1 = Colorizer(), PatchCritic(), l1
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.999))

    @staticmethod
    def hinge(score, real):
        return torch.relu(1 - score if real else 1 + score).mean()

    def step(self, luminance, colour):
        fake = self.gen(luminance)
        self.opt_d.zero_grad()
        d_loss = self.hinge(self.critic(luminance, colour), True)
        d_loss = d_loss + self.hinge(self.critic(luminance, fake.detach()), False)
        d_loss.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        g_loss = self.l1 * (fake - colour).abs().mean() - self.critic(luminance, fake).mean()
        g_loss.backward()
        self.opt_g.step()
        return d_loss.item(), g_loss.item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--l1", type=float, default=50.0)
    args = parser.parse_args()
    torch.manual_seed(0)
    gan = ColorGAN(args.lr, args.l1)
    grey = torch.rand(24, 1, 12, 12)
    chroma = torch.cat([grey - 0.5, 0.5 - grey], dim=1)
    for epoch in range(2):
        for a, b in zip(grey.split(8), chroma.split(8)):
            d, g = gan.step(a, b)
        print(f"{epoch} D {d:.3f} G {g:.3f}")
