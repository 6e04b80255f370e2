import argparse

import numpy as np
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--latent", type=int, default=8)
parser.add_argument("--lr", type=float, default=2e-4)
parser.add_argument("--b1", type=float, default=0.5)
opt = parser.parse_args()

torch.manual_seed(7)
np.random.seed(7)

t = np.linspace(0, 2 * np.pi, 32)
waves = np.stack([np.sin(t * np.random.uniform(1, 3) + np.random.uniform(0, 6)) for _ in range(256)])
loader = torch.utils.data.DataLoader(torch.tensor(waves, dtype=torch.float32), batch_size=32, shuffle=True)

G = nn.Sequential(nn.Linear(opt.latent, 64), nn.ReLU(), nn.Linear(64, 32), nn.Tanh())
D = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1), nn.Sigmoid())

bce = nn.BCELoss()
optG = torch.optim.Adam(G.parameters(), lr=opt.lr, betas=(opt.b1, 0.999))
optD = torch.optim.Adam(D.parameters(), lr=opt.lr, betas=(opt.b1, 0.999))

for epoch in range(opt.epochs):
    for real in loader:
        n = real.size(0)
        ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)

        # discriminator
        optD.zero_grad()
        z = torch.randn(n, opt.latent)
        fake = G(z)
        d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
        d_loss.backward()
        optD.step()

        # generator
        optG.zero_grad()
        g_loss = bce(D(fake), ones)
        g_loss.backward()
        optG.step()

    print("[%d/%d] D %.4f G %.4f" % (epoch + 1, opt.epochs, d_loss.item(), g_loss.item()))
