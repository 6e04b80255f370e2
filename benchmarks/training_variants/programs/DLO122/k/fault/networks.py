from torch import nn


class SuperResolution(nn.Module):
    def __init__(self, scale, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 5, padding=2), nn.PReLU(), nn.Conv2d(width, width, 3, padding=1), nn.PReLU()
        )
        self.upsample = nn.Sequential(nn.Conv2d(width, scale**2, 3, padding=1), nn.PixelShuffle(scale))

    def forward(self, x):
        return self.upsample(self.features(x))
