"""Wasserstein GAN with gradient penalty, as in public repositories: three critic steps for one of the generator."""

import sys

import torch
from torch import autograd, nn, optim


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(len(real), 1)
    between = (alpha * real + (1 - alpha) * fake).requires_grad_()
    gradients = autograd.grad(critic(between).sum(), between, create_graph=True)[0]
    return 10 * (gradients.norm(2, dim=1) - 1).pow(2).mean()


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
angle = 6.283 * torch.arange(8) / 8
centres = torch.stack([angle.cos(), angle.sin()], 1)
generator = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))
critic = nn.Sequential(nn.Linear(2, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
optimizer_g = optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
optimizer_d = optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
for step in range(600):
    real = centres[torch.randint(0, 8, (64,))] + 0.05 * torch.randn(64, 2)
    optimizer_d.zero_grad()
    fake = generator(torch.randn(64, 4)).detach()
    d_loss = critic(fake).mean() - critic(real).mean() + gradient_penalty(critic, real, fake)
    d_loss.backward()
    optimizer_d.step()
    if step % 3 == 0:
        optimizer_g.zero_grad()
        g_loss = -critic(generator(torch.randn(64, 4))).mean()
        g_loss.backward()
        optimizer_g.step()
with torch.no_grad():
    radius = generator(torch.randn(500, 4)).norm(dim=1)
print(f"radius {radius.mean():.2f} +- {radius.std():.2f}")
assert 0.7 < radius.mean() < 1.3
