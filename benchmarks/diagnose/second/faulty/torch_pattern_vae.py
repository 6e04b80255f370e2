"""A variational autoencoder for small bar patterns."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 12


def bars(count, seed):
    generator = torch.Generator().manual_seed(seed)
    images = torch.full((count, SIZE, SIZE), 0.05)
    rows = torch.randint(SIZE - 2, (count,), generator=generator).tolist()
    columns = torch.randint(SIZE - 2, (count,), generator=generator).tolist()
    for image, row, column in zip(images, rows, columns, strict=True):
        image[row : row + 3] = 0.9
        image[:, column : column + 3] = 0.9
    noise = 0.03 * torch.randn(count, SIZE, SIZE, generator=generator)
    return TensorDataset((images + noise).clamp(0, 1).unsqueeze(1))


class Encoder(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 24, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.mean = nn.Linear(24 * 9, latent)
        self.log_variance = nn.Linear(24 * 9, latent)

    def forward(self, x):
        h = self.conv(x)
        return self.mean(h), self.log_variance(h)


class Decoder(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.fc = nn.Linear(latent, 24 * 9)
        self.deconv = nn.Sequential(
            nn.ConvTranspose2d(24, 12, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(12, 1, 4, 2, 1), nn.Sigmoid()
        )

    def forward(self, z):
        return self.deconv(F.relu(self.fc(z)).view(-1, 24, 3, 3))


class VAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.encoder, self.decoder = Encoder(latent), Decoder(latent)

    def forward(self, x):
        mean, log_variance = self.encoder(x)
        z = mean + torch.randn_like(mean) * (0.5 * log_variance).exp() if self.training else mean
        return self.decoder(z), mean, log_variance


def elbo_terms(reconstruction, x, mean, log_variance):
    reconstruction_loss = F.mse_loss(reconstruction, x)
    kl = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(1).mean()
    return reconstruction_loss, kl


@torch.no_grad()
def pixel_error(model, loader):
    model.eval()
    total = sum(F.mse_loss(model(x)[0], x, reduction="sum").item() for (x,) in loader)
    return total / (len(loader.dataset) * SIZE * SIZE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--latent", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch-size", type=int, default=40)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--beta", type=float, default=1.0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader = DataLoader(bars(1200, 1), args.batch_size, shuffle=True)
    valid_loader = DataLoader(bars(200, 2), 100)
    model = VAE(args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        sums = [0.0, 0.0]
        for (x,) in train_loader:
            reconstruction, mean, log_variance = model(x)
            reconstruction_loss, kl = elbo_terms(reconstruction, x, mean, log_variance)
            optimizer.zero_grad()
            (reconstruction_loss + args.beta * kl).backward()
            optimizer.step()
            sums[0] += reconstruction_loss.item()
            sums[1] += kl.item()
        a, b = (value / len(train_loader) for value in sums)
        print(f"epoch {epoch:2d}: reconstruction {a:.4f}, kl {b:.5f}, pixel error {pixel_error(model, valid_loader):.5f}")
    print(f"final pixel error {pixel_error(model, valid_loader):.5f}")


if __name__ == "__main__":
    main()
