"""A denoising autoencoder with a narrow middle and a sigmoid at its end, as in many tutorials on MNIST."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(100, 48), nn.ReLU(), nn.Linear(48, 6))
        self.decoder = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 100), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Soft spots of 10 x 10 at random positions.
grid, centre = torch.arange(10.0), 2 + 6 * torch.rand(1200, 2, 1, 1)
distance = (grid[:, None] - centre[:, 0]) ** 2 + (grid - centre[:, 1]) ** 2
spots = torch.exp(-distance / 6).flatten(1)
loader = DataLoader(TensorDataset(spots[:1024]), batch_size=32, shuffle=True)
model = Autoencoder()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    for (clean,) in loader:
        noisy = clean + 0.2 * torch.randn_like(clean)
        loss = criterion(model(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = criterion(model(spots[1024:]), spots[1024:]) / spots[1024:].var(0).mean()
print(f"share of the variance that is left: {error:.3f}")
assert error < 0.2
