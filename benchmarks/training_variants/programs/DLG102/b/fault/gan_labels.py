import argparse

import torch
from torch import nn

from losses import AdversarialLoss


def build(inputs, outputs, hidden=64):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, outputs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda:0")
    generator, critic = build(8, 2).to(device), build(2, 1).to(device)
    criterion = AdversarialLoss().to(device)
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-3)
    optimizer_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for step in range(args.steps):
        real = torch.randn(64, 2, device=device) * 0.1 + 1.0
        fake = generator(torch.randn(64, 8, device=device))
        optimizer_c.zero_grad()
        loss_c = criterion(critic(real), True) + criterion(critic(fake.detach()), False)
        loss_c.backward()
        optimizer_c.step()
        optimizer_g.zero_grad()
        loss_g = criterion(critic(fake), True)
        loss_g.backward()
        optimizer_g.step()
        if step % 20 == 0:
            print(step, loss_c.item(), loss_g.item())


if __name__ == "__main__":
    main()
