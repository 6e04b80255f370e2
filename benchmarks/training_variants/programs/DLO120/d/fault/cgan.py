import torch
import torch.nn.functional as F

from models import Discriminator, Generator

Z, CLASSES, DIM = 5, 3, 8


def train(epochs=3, n=96, batch=32):
    g, d = Generator(Z, CLASSES, DIM), Discriminator(CLASSES, DIM)
    og = torch.optim.Adam(g.parameters(), 2e-4, betas=(0.5, 0.999))
    od = torch.optim.Adam(d.parameters(), 2e-4, betas=(0.5, 0.999))
    centers = torch.rand(CLASSES, DIM) * 2 - 1
    for epoch in range(epochs):
        for _ in range(n // batch):
            y = torch.randint(0, CLASSES, (batch,))
            real = centers[y] + 0.05 * torch.randn(batch, DIM)
            fake = g(torch.randn(batch, Z), y)

            od.zero_grad()
            d_fake = d(fake, y)
            d_real = d(real, y)
            loss_d = F.softplus(-d_real).mean() + F.softplus(d_fake).mean()
            loss_d.backward()
            od.step()

            og.zero_grad()
            loss_g = F.softplus(-d(fake, y)).mean()
            loss_g.backward()
            og.step()
        print(f"{epoch} D {loss_d.item():.3f} G {loss_g.item():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
