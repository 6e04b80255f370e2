"""A generative adversarial network for points on a ring."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--latent", type=int, default=8)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--lr-g", type=float, default=1e-3)
    parser.add_argument("--lr-d", type=float, default=1e-3)
    parser.add_argument("--smooth", type=float, default=0.9)
    return parser.parse_args()


class Generator(nn.Module):
    def __init__(self, latent, hidden):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(
            nn.Linear(latent, hidden),
            nn.LeakyReLU(0.2),
            nn.Linear(hidden, hidden),
            nn.LeakyReLU(0.2),
            nn.Linear(hidden, 2),
        )

    def sample(self, count):
        return self(torch.randn(count, self.latent))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, hidden),
            nn.LeakyReLU(0.2),
            nn.Dropout(0.1),
            nn.Linear(hidden, hidden),
            nn.LeakyReLU(0.2),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


def ring(count):
    angles = 2 * torch.pi * torch.rand(count)
    points = torch.stack([angles.cos(), angles.sin()], dim=1)
    return 2.0 * points + 0.05 * torch.randn(count, 2)


class GanTrainer:
    def __init__(self, args):
        self.args = args
        self.generator = Generator(args.latent, args.hidden)
        self.discriminator = Discriminator(args.hidden)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=args.lr_g, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=args.lr_d, betas=(0.5, 0.999))

    def loss(self, scores, is_real):
        target = self.args.smooth if is_real else 0.0
        return F.binary_cross_entropy_with_logits(scores, torch.full_like(scores, target))

    def step_discriminator(self, real, fake):
        self.opt_d.zero_grad()
        loss = self.loss(self.discriminator(real), True) + self.loss(self.discriminator(fake.detach()), False)
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step_generator(self, fake):
        self.opt_g.zero_grad()
        scores = self.discriminator(fake)
        loss = self.loss(scores, True)
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def train(self):
        for step in range(self.args.steps):
            real = ring(self.args.batch_size)
            fake = self.generator.sample(self.args.batch_size)
            loss_d = self.step_discriminator(real, fake)
            loss_g = self.step_generator(self.generator.sample(self.args.batch_size))
            if step % 250 == 0:
                print(f"step {step:5d}  D {loss_d:.3f}  G {loss_g:.3f}  radius error {self.radius_error():.3f}")

    @torch.no_grad()
    def radius_error(self):
        radius = self.generator.sample(1000).norm(dim=1)
        return (radius - 2.0).abs().mean().item()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    trainer = GanTrainer(args)
    trainer.train()
    print(f"final radius error {trainer.radius_error():.3f}")


if __name__ == "__main__":
    main()
