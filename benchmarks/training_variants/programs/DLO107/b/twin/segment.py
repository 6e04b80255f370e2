import torch
from torch import nn

from predictor import Predictor


class TinyUNet(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU())
        self.middle = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), nn.Dropout2d(0.4))
        self.up = nn.Upsample(scale_factor=2)
        self.head = nn.Conv2d(2 * channels, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        return self.head(torch.cat([skip, self.up(self.middle(skip))], dim=1))


def squares(n):
    truth = torch.zeros(n, 1, 16, 16, dtype=torch.bool)
    for i in range(n):
        r, c = torch.randint(0, 10, (2,)).tolist()
        truth[i, 0, r : r + 6, c : c + 6] = True
    return truth.float() + 0.3 * torch.randn(n, 1, 16, 16), truth


def train(network, steps=40):
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    network.train()
    for _ in range(steps):
        images, truth = squares(16)
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(network(images), truth.float())
        loss.backward()
        optimizer.step()
    return network


if __name__ == "__main__":
    torch.manual_seed(0)
    predictor = Predictor(train(TinyUNet()))
    images, truth = squares(32)
    same = torch.equal(predictor.masks(images), predictor.masks(images))
    print(f"dice {predictor.dice(images, truth):.4f}, repeatable: {same}")
