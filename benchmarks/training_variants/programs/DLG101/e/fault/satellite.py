import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
tiles = rng.random((64, 16, 16, 4)).astype("float32")  # H x W x bands
land_cover = (tiles[..., 3].mean((1, 2)) > tiles[..., 0].mean((1, 2))).astype("int64")


class TileNet(nn.Module):
    def __init__(self, bands=4, classes=2):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(bands, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def to_batch(arr):
    x = torch.from_numpy(arr)
    x.permute(0, 3, 1, 2)
    return x


net = TileNet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    for i in range(0, len(tiles), 16):
        x, y = to_batch(tiles[i:i + 16]), torch.from_numpy(land_cover[i:i + 16])
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))
