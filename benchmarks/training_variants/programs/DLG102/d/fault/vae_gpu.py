"""Variational autoencoder of binary patterns."""
import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, width=36, latent=4):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, 64), nn.ReLU())
        self.mean, self.log_var = nn.Linear(64, latent), nn.Linear(64, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, width))

    def sample(self, mean, log_var):
        noise = torch.randn(mean.shape)
        return mean + noise * torch.exp(0.5 * log_var)

    def forward(self, x):
        h = self.inner(x)
        mean, log_var = self.mean(h), self.log_var(h)
        return self.decoder(self.sample(mean, log_var)), mean, log_var


def elbo(logits, x, mean, log_var):
    rec = nn.functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
    return (rec + kld) / len(x)


def main():
    if not torch.cuda.is_available():
        raise SystemExit("a GPU is needed")
    torch.manual_seed(0)
    vae = VAE().cuda()
    optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
    patterns = (torch.rand(500, 36) > 0.7).float().cuda()
    for epoch in range(5):
        for x in patterns.split(50):
            logits, mean, log_var = vae(x)
            loss = elbo(logits, x, mean, log_var)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


main()
