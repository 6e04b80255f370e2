import argparse

import torch
from torch import nn


class Net(nn.Sequential):
    def __init__(self, *sizes):
        layers = []
        for before, after in zip(sizes, sizes[1:]):
            layers.extend((nn.Linear(before, after), nn.LeakyReLU(0.1)))
        super().__init__(*layers[:-1])


def constrain(network, bound):
    for weight in network.parameters():
        weight.data.clamp_(-bound, bound)


def real_samples(n):
    angle = 6.2832 * torch.rand(n)
    return torch.stack([angle.cos(), angle.sin()], 1)


def train(options):
    generator, critic = Net(4, 32, 2), Net(2, 32, 32, 1)
    optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=options.lr)
    optimizer_c = torch.optim.RMSprop(critic.parameters(), lr=options.lr)
    for iteration in range(options.iterations):
        for _ in range(options.critic_steps):
            optimizer_c.zero_grad()
            fake = generator(torch.randn(64, 4)).detach()
            loss_c = critic(fake).mean() - critic(real_samples(64)).mean()
            loss_c.backward()
            optimizer_c.step()
            constrain(critic, options.clip)
        optimizer_g.zero_grad()
        loss_g = -critic(generator(torch.randn(64, 4))).mean()
        loss_g.backward()
        optimizer_g.step()
        if iteration % 10 == 0:
            print(f"[{iteration}] critic {loss_c.item():.5f} generator {loss_g.item():.5f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=31)
    parser.add_argument("--critic-steps", type=int, default=3)
    parser.add_argument("--clip", type=float, default=0.05)
    parser.add_argument("--lr", type=float, default=5e-4)
    torch.manual_seed(0)
    train(parser.parse_args())
