"""A GAN with two optimizers, label smoothing and images that are saved."""

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
real = torch.randn(256, 2) * 0.3 + torch.tensor([1.0, -1.0])
G = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.BatchNorm1d(16), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCELoss()
fixed = torch.randn(8, 4)
for step in range(60):
    batch = real[torch.randint(0, 256, (32,))]
    opt_d.zero_grad()
    fake = G(torch.randn(32, 4))
    loss_d = bce(D(batch), torch.full((32, 1), 0.9)) + bce(D(fake.detach()), torch.zeros(32, 1))
    loss_d.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss_g = bce(D(fake), torch.ones(32, 1))
    loss_g.backward()
    opt_g.step()
    if step % 20 == 0:
        print(step, loss_d.item(), loss_g.item())
        np.save(f"sample-{step}.npy", G(fixed).detach().numpy())
