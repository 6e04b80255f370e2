"""Variational autoencoder after pytorch/examples/vae: the sum of binary cross entropy and divergence is minimised."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 64)
        self.fc21 = nn.Linear(64, 4)
        self.fc22 = nn.Linear(64, 4)
        self.fc3 = nn.Linear(4, 64)
        self.fc4 = nn.Linear(64, 64)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Crosses: one row and one column of an image of 8 x 8.
rows, columns = torch.randint(0, 8, (2, 1024))
images = torch.maximum(F.one_hot(rows, 8)[:, :, None], F.one_hot(columns, 8)[:, None, :]).float()[:, None]

model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
first = last = 0.0
for epoch in range(20):
    model.train()
    train_loss = 0.0
    for at in torch.randperm(len(images)).split(64):
        data = images[at]
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    last = train_loss / len(images)
    first = first or last
    print(f"epoch {epoch}: {last:.2f}")
assert last < 0.7 * first
