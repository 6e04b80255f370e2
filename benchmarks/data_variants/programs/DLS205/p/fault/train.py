"""VGG-like stack for small patches."""
import torch
from torch import nn


def conv_bn(n_in, n_out):
    return nn.Sequential(
        nn.Conv2d(n_in, n_out, 3, padding=1),
        nn.BatchNorm2d(n_out),
        nn.ReLU(inplace=True),
    )


class PatchVGG(nn.Module):
    def __init__(self, widths=(12, 24), classes=3):
        super().__init__()
        stages, last = [], 1
        for width in widths:
            stages += [conv_bn(last, width), nn.MaxPool2d(2)]
            last = width
        self.stages = nn.Sequential(*stages)
        self.out = nn.Linear(last, classes)

    def forward(self, x):
        return self.out(self.stages(x).mean(dim=(2, 3)))


def patches(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    x = torch.randn(n, 1, 12, 12, generator=gen)
    return x * (0.5 + y[:, None, None, None]), y


def main(steps=60):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(4)
    model = PatchVGG()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    for _ in range(steps):
        x, y = patches(32, gen)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    model.eval()
    x, y = patches(300, gen)
    with torch.no_grad():
        print("accuracy", round((model(x).argmax(1) == y).float().mean().item(), 3))


if __name__ == "__main__":
    main()
