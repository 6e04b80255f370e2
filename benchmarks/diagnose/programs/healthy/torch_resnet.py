"""A residual network for small images in the manner of He et al.: batch normalisation, SGD at 0.1 with momentum and decay."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


class BasicBlock(nn.Module):
    def __init__(self, in_planes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_planes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.shortcut = nn.Sequential()
        if stride != 1 or in_planes != planes:
            self.shortcut = nn.Sequential(nn.Conv2d(in_planes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return F.relu(out + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.layers = nn.Sequential(BasicBlock(8, 8), BasicBlock(8, 16, 2), BasicBlock(16, 32, 2))
        self.linear = nn.Linear(32, classes)

    def forward(self, x):
        out = self.layers(F.relu(self.bn1(self.conv1(x))))
        return self.linear(out.mean((2, 3)))


def textures(count):
    """Coloured checks and stripes of five kinds."""
    labels = torch.randint(0, 5, (count,))
    y, x = torch.meshgrid(torch.arange(12), torch.arange(12), indexing="ij")
    kinds = torch.stack([(x // 2) % 2, (y // 2) % 2, (x // 3 + y // 3) % 2, ((x + y) // 2) % 2, torch.zeros_like(x)]).float()
    images = kinds[labels][:, None] * torch.rand(count, 3, 1, 1) + 0.4 * torch.randn(count, 3, 12, 12)
    return images, labels


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
images, labels = textures(1024)
test_images, test_labels = textures(256)
net = ResNet(5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
for epoch in range(5):
    net.train()
    for at in torch.randperm(len(images)).split(32):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(images[at]), labels[at])
        loss.backward()
        optimizer.step()
    scheduler.step()
    net.eval()
    with torch.no_grad():
        accuracy = float((net(test_images).argmax(1) == test_labels).float().mean())
    print(f"epoch {epoch}: {accuracy:.3f}")
assert accuracy > 0.85
