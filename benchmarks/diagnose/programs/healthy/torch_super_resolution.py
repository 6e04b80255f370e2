"""Sub-pixel convolution after pytorch/examples/super_resolution: orthogonal weights, mean squared error, Adam."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.nn import init


class Net(nn.Module):
    def __init__(self, upscale_factor):
        super().__init__()
        self.relu = nn.ReLU()
        self.conv1 = nn.Conv2d(1, 32, (5, 5), (1, 1), (2, 2))
        self.conv2 = nn.Conv2d(32, 16, (3, 3), (1, 1), (1, 1))
        self.conv3 = nn.Conv2d(16, upscale_factor**2, (3, 3), (1, 1), (1, 1))
        self.pixel_shuffle = nn.PixelShuffle(upscale_factor)
        init.orthogonal_(self.conv1.weight, init.calculate_gain("relu"))
        init.orthogonal_(self.conv2.weight, init.calculate_gain("relu"))
        init.orthogonal_(self.conv3.weight)

    def forward(self, x):
        x = self.relu(self.conv1(x))
        x = self.relu(self.conv2(x))
        return self.pixel_shuffle(self.conv3(x))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Waves of random direction and phase, sampled at 16 x 16 and averaged to 8 x 8.
y, x = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
wave = torch.rand(640, 2, 1, 1) * 1.2
fine = (0.5 + 0.5 * torch.sin(wave[:, 0] * x + wave[:, 1] * y + 6.28 * torch.rand(640, 1, 1)))[:, None]
coarse = F.avg_pool2d(fine, 2)

model = Net(upscale_factor=2)
criterion = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(10):
    for at in torch.randperm(512).split(32):
        optimizer.zero_grad()
        loss = criterion(model(coarse[at]), fine[at])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = criterion(model(coarse[512:]), fine[512:])
    print(f"epoch {epoch}: {error:.5f}")
assert error < criterion(F.interpolate(coarse[512:], scale_factor=2), fine[512:])
