import argparse

import torch
from torch import nn


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


class Generator(nn.Module):
    def __init__(self, nz, ngf):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def main(opt):
    torch.manual_seed(opt.manual_seed)
    net_g, net_d = Generator(opt.nz, opt.ngf), Discriminator(opt.ndf)
    net_g.apply(weights_init)
    net_d.apply(weights_init)
    criterion = nn.BCEWithLogitsLoss()
    optimizer_g = torch.optim.Adam(net_g.parameters(), lr=opt.lr, betas=(0.5, 0.999))
    optimizer_d = torch.optim.Adam(net_d.parameters(), lr=opt.lr, betas=(0.5, 0.999))
    data = torch.tanh(torch.randn(64, 1, 16, 16).cumsum(dim=-1) / 4)
    for epoch in range(opt.niter):
        for real in data.split(16):
            n = real.size(0)
            noise = torch.randn(n, opt.nz, 1, 1)
            fake = net_g(noise)
            optimizer_d.zero_grad()
            err_d = criterion(net_d(real), torch.ones(n)) + criterion(net_d(fake.detach()), torch.zeros(n))
            err_d.backward()
            optimizer_d.step()

            optimizer_g.zero_grad()
            err_g = criterion(net_d(fake), torch.ones(n))
            err_g.backward()
            optimizer_g.step()
        print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, opt.niter, err_d.item(), err_g.item()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nz", type=int, default=16)
    parser.add_argument("--ngf", type=int, default=8)
    parser.add_argument("--ndf", type=int, default=8)
    parser.add_argument("--niter", type=int, default=3)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--manual_seed", type=int, default=999)
    main(parser.parse_args())
