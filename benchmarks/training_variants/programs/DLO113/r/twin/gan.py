"""A GAN for points on a circle."""
import math

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class GAN:
    def __init__(self, latent=4):
        self.latent = latent
        self.generator = mlp(latent, 32, 2)
        self.discriminator = mlp(2, 32, 1)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        self.opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=1e-3)
        self.bce = nn.BCEWithLogitsLoss()

    def step_discriminator(self, real):
        fake = self.generator(torch.randn(len(real), self.latent)).detach()
        self.opt_d.zero_grad()
        on_real, on_fake = self.discriminator(real), self.discriminator(fake)
        loss = self.bce(on_real, torch.ones_like(on_real)) + self.bce(on_fake, torch.zeros_like(on_fake))
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step_generator(self, count):
        self.opt_g.zero_grad()
        score = self.discriminator(self.generator(torch.randn(count, self.latent)))
        loss = self.bce(score, torch.ones_like(score))
        loss.backward()
        self.opt_g.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    angle = torch.rand(256) * 2 * math.pi
    points = torch.stack([angle.cos(), angle.sin()], dim=1)
    gan = GAN()
    for epoch in range(4):
        for real in points.split(32):
            d, g = gan.step_discriminator(real), gan.step_generator(len(real))
        print(epoch, d, g)


if __name__ == "__main__":
    main()
