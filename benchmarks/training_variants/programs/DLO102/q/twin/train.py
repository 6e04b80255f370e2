"""Alternating training of a small VAE; the update lives in a helper shared by the experiments."""
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


def clear(parameters):
    for p in parameters:
        p.grad = None


class VAE(nn.Module):
    def __init__(self, d=20, z=3, h=48):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.Tanh(), nn.Linear(h, d))

    def forward(self, x):
        mean, log_std = self.enc(x).chunk(2, dim=-1)
        posterior = Normal(mean, log_std.clamp(-5, 3).exp())
        return self.dec(posterior.rsample()), posterior


def elbo_loss(x, recon, posterior, beta):
    prior = Normal(torch.zeros_like(posterior.loc), torch.ones_like(posterior.scale))
    return (recon - x).pow(2).sum(-1).mean() + beta * kl_divergence(posterior, prior).sum(-1).mean()


def update(model, optimizer, loss):
    clear(model.parameters())
    loss.backward()
    optimizer.step()


def main(epochs=6):
    torch.manual_seed(40)
    basis = torch.randn(3, 20)
    data = torch.tanh(torch.randn(1500, 3) @ basis) + 0.05 * torch.randn(1500, 20)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.99))
    for epoch in range(epochs):
        beta = min(1.0, (epoch + 1) / 4) * 0.1
        total = 0.0
        for x in data[torch.randperm(len(data))].split(50):
            recon, posterior = model(x)
            loss = elbo_loss(x, recon, posterior, beta)
            update(model, optimizer, loss)
            total += loss.item()
        print(f"epoch {epoch} loss {total / 30:.3f}")


main()
