"""A convolutional variational autoencoder of small blobs, with the weight of the prior raised slowly."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 16


def blobs(count, generator):
    """Pictures of one soft spot each; place and width vary."""
    place = 4 + 8 * torch.rand(count, 2, generator=generator)
    width = 1.5 + 1.5 * torch.rand(count, 1, 1, generator=generator)
    rows = torch.arange(SIZE).view(1, SIZE, 1)
    columns = torch.arange(SIZE).view(1, 1, SIZE)
    distance = (rows - place[:, 0].view(-1, 1, 1)) ** 2 + (columns - place[:, 1].view(-1, 1, 1)) ** 2
    return torch.exp(-distance / (2 * width**2)).unsqueeze(1)


class VAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * 16, 64),
            nn.ReLU(),
        )
        self.mean = nn.Linear(64, latent)
        self.log_variance = nn.Linear(64, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, 64),
            nn.ReLU(),
            nn.Linear(64, 32 * 16),
            nn.ReLU(),
            nn.Unflatten(1, (32, 4, 4)),
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1),
        )

    def forward(self, pictures):
        hidden = self.encoder(pictures)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        if self.training:
            code = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        else:
            code = mean
        return self.decoder(code), mean, log_variance


def terms(model, pictures):
    """Reconstruction and divergence, both per picture."""
    logits, mean, log_variance = model(pictures)
    reconstruction = F.binary_cross_entropy_with_logits(logits, pictures, reduction="sum") / len(pictures)
    divergence = 0.5 * (mean**2 + log_variance.exp() - 1 - log_variance).sum(1).mean()
    return reconstruction, divergence


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--latent", type=int, default=4)
    parser.add_argument("--beta", type=float, default=1.0)
    parser.add_argument("--warmup", type=int, default=4, help="epochs until the prior has its full weight")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    loader = DataLoader(TensorDataset(blobs(2000, generator)), 64, shuffle=True)
    held_out = blobs(300, generator)
    model = VAE(args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        beta = args.beta * min(1.0, (epoch + 1) / args.warmup)
        model.train()
        totals = torch.zeros(2)
        for (pictures,) in loader:
            reconstruction, divergence = terms(model, pictures)
            loss = reconstruction + beta * divergence
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            totals += torch.tensor([reconstruction.item(), divergence.item()]) / len(loader)
        print(f"epoch {epoch}: reconstruction {totals[0]:.2f}, divergence {totals[1]:.2f}")
    model.eval()
    with torch.no_grad():
        logits, _, _ = model(held_out)
        error = F.mse_loss(torch.sigmoid(logits), held_out)
    print(f"squared error of held-out pictures {error:.5f} (variance {held_out.var():.5f})")


if __name__ == "__main__":
    main()
