"""Image classifier head in torch: size of the model at 224 x 224."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, channels, classes, hidden=1024):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(channels * 28 * 28, hidden), nn.ReLU(), nn.Dropout(0.5), nn.Linear(hidden, classes)
        )

    def forward(self, x):
        return self.layers(x)


class Net(nn.Module):
    def __init__(self, classes=20):
        super().__init__()
        widths = (3, 32, 64, 128)
        self.features = nn.Sequential(
            *[
                nn.Sequential(nn.Conv2d(a, b, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU())
                for a, b in zip(widths, widths[1:])
            ]
        )
        self.head = Head(widths[-1], classes)

    def forward(self, x):
        return self.head(self.features(x))


def main():
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    images, labels = torch.randn(2, 3, 224, 224), torch.tensor([3, 7])
    net.train()
    for _ in range(2):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(images), labels).backward()
        optimizer.step()
    print(sum(p.numel() for p in net.parameters()) // 1000, "thousand parameters")


if __name__ == "__main__":
    main()
