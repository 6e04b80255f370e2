import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=40, h=32, z=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.decoder = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def encode(self, x):
        h = self.encoder(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decoder(z), mu, logvar


def elbo(x, rec, mu, logvar):
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return F.mse_loss(rec, x, reduction="none").sum(1).mean() + kld


def fit(model, x, epochs, lr=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(epochs):
        for xb in x.split(32):
            opt.zero_grad()
            loss = elbo(xb, *model(xb))
            loss.backward()
            opt.step()
    return loss.item()


torch.manual_seed(6)
source, target = torch.randn(256, 40), torch.randn(128, 40) + 1.0
vae = VAE()
print("source", round(fit(vae, source, 5), 3))

# adapt the decoder only
for param in vae.encoder.parameters():
    param.require_grad = False
before = vae.encoder[0].weight.detach().clone()
print("target", round(fit(vae, target, 5), 3))
print("encoder moved by", round((vae.encoder[0].weight - before).abs().max().item(), 6))
