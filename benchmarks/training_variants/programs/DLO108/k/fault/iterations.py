import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ConvVAE(nn.Module):
    def __init__(self, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.1), nn.Flatten())
        self.mu = nn.Linear(8 * 36, latent)
        self.logvar = nn.Linear(8 * 36, latent)
        self.dec = nn.Sequential(
            nn.Linear(latent, 8 * 36), nn.Unflatten(1, (8, 6, 6)), nn.BatchNorm2d(8), nn.LeakyReLU(0.1),
            nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid(),
        )

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def elbo(recon, x, mu, logvar):
    rec = nn.functional.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (rec + kld) / x.size(0)


def forever(loader):
    while True:
        yield from loader


def sample(vae, n):
    vae.eval()
    with torch.no_grad():
        return vae.dec(torch.randn(n, 6))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--sample-every", type=int, default=20)
    args = parser.parse_args()
    torch.manual_seed(0)
    images = (torch.rand(96, 1, 12, 12) + torch.linspace(0, 1, 12) > 1).float()
    batches = forever(DataLoader(TensorDataset(images), batch_size=16, shuffle=True))
    vae = ConvVAE()
    optimizer = torch.optim.Adam(vae.parameters(), lr=2e-3)
    vae.train()
    for iteration in range(1, args.iterations + 1):
        (x,) = next(batches)
        recon, mu, logvar = vae(x)
        loss = elbo(recon, x, mu, logvar)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if iteration % args.sample_every == 0:
            grid = sample(vae, 4)
            print(iteration, f"{loss.item():.3f}", f"{grid.mean().item():.3f}", "train mode" if vae.training else "eval mode")


if __name__ == "__main__":
    main()
