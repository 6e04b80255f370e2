"""Generative adversarial network after pytorch/examples/dcgan: two optimisers, binary cross entropy against 1 and 0."""

import sys

import torch
from torch import nn, optim


def weights_init(m):
    if isinstance(m, nn.Conv2d | nn.ConvTranspose2d):
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Bright discs on a dark ground, of 8 x 8, between -1 and 1.
centre, grid = 2.5 + 2 * torch.rand(1024, 2, 1, 1), torch.arange(8.0)
distance = (grid[None, :, None] - centre[:, 0]) ** 2 + (grid[None, None, :] - centre[:, 1]) ** 2
images = (2 * (distance < 5).float() - 1)[:, None]

nz = 8
netG = nn.Sequential(
    nn.ConvTranspose2d(nz, 32, 4, 1, 0, bias=False),
    nn.BatchNorm2d(32),
    nn.ReLU(True),
    nn.ConvTranspose2d(32, 1, 4, 2, 1, bias=False),
    nn.Tanh(),
)
netD = nn.Sequential(
    nn.Conv2d(1, 16, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(16, 1, 4, 1, 0, bias=False),
    nn.Sigmoid(),
)
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=0.0005, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.001, betas=(0.5, 0.999))

for step in range(300):
    real = images[torch.randint(0, len(images), (32,))]
    netD.zero_grad()
    errD_real = criterion(netD(real).view(-1), torch.ones(32))
    errD_real.backward()
    fake = netG(torch.randn(32, nz, 1, 1))
    errD_fake = criterion(netD(fake.detach()).view(-1), torch.zeros(32))
    errD_fake.backward()
    optimizerD.step()

    netG.zero_grad()
    errG = criterion(netD(fake).view(-1), torch.ones(32))
    errG.backward()
    optimizerG.step()

made = netG(torch.randn(256, nz, 1, 1)).mean(0).detach()
error = float((made - images.mean(0)).pow(2).mean() / images.mean(0).pow(2).mean())
print(f"distance of the mean images: {error:.3f}")
assert error < 0.3
