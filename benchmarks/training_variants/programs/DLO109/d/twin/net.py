from torch import nn


class PatchDetector(nn.Module):
    """A score per patch and one per image."""

    def __init__(self, channels=8):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, channels, 3, 2, 1), nn.BatchNorm2d(channels), nn.LeakyReLU(0.1))
        self.score = nn.Conv2d(channels, 1, 1)

    def forward(self, x):
        patches = self.score(self.body(x)).flatten(1)
        return patches, patches.max(dim=1).values
