import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Discretiser(nn.Module):
    """Vector quantisation with a straight-through gradient."""

    def __init__(self, codes, dim):
        super().__init__()
        self.codebook = nn.Embedding(codes, dim)

    def forward(self, z):
        index = torch.cdist(z, self.codebook.weight).argmin(1)
        q = self.codebook(index)
        commit = (z - q.detach()).pow(2).mean() * 0.25 + (q - z.detach()).pow(2).mean()
        return z + (q - z).detach(), commit


class VQ(nn.Module):
    def __init__(self, dim=10, latent=4, codes=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, latent))
        self.vq = Discretiser(codes, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        q, commit = self.vq(self.enc(x))
        return self.dec(q), commit


OPTIMIZERS = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


def run(name="adamw", epochs=5):
    torch.manual_seed(0)
    centres = torch.randn(8, 10)
    data = centres[torch.randint(0, 8, (256,))] + 0.1 * torch.randn(256, 10)
    loader = DataLoader(TensorDataset(data), batch_size=32, shuffle=True)
    model = VQ()
    optimizer = OPTIMIZERS[name](model.parameters())
    for epoch in range(epochs):
        for (x,) in loader:
            recon, commit = model(x)
            loss = nn.functional.mse_loss(recon, x) + commit
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"{name} loss {loss.item():.4f}")


if __name__ == "__main__":
    run()
