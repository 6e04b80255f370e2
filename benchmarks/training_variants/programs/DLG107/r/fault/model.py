"""A variational autoencoder."""
import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, inputs, latent):
        super().__init__()
        self.enc = nn.Linear(inputs, 2 * latent)
        self.dec = nn.Linear(latent, inputs)
        self.latent = latent

    def forward(self, x):
        mean, log_var = self.enc(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        return self.dec(z), mean, log_var

    def sample(self, count):
        return self.dec(torch.randn(count, self.latent))
