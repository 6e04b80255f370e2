"""After the PyTorch pruning tutorial: 70 % of the weights of a trained network are set to 0, and it is trained on."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import prune


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 9, 64)
        self.fc2 = nn.Linear(64, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), (2, 2))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


def corners(count):
    """A corner of one of four orientations somewhere in the image."""
    labels, images = torch.randint(0, 4, (count,)), 0.3 * torch.randn(count, 1, 12, 12)
    shape = torch.zeros(6, 6)
    shape[0], shape[:, 0] = 1.5, 1.5
    for image, label in zip(images, labels.tolist(), strict=True):
        top, left = torch.randint(0, 6, (2,)).tolist()
        image[0, top : top + 6, left : left + 6] += shape.rot90(label)
    return images, labels


def train(optimizer, epochs):
    for _ in range(epochs):
        for at in torch.randperm(1024).split(32):
            loss = F.cross_entropy(model(images[at]), labels[at])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
images, labels = corners(1280)
model = LeNet()
train(torch.optim.Adam(model.parameters(), lr=3e-3), 4)
layers = [(model.conv2, "weight"), (model.fc1, "weight"), (model.fc2, "weight")]
prune.global_unstructured(layers, pruning_method=prune.L1Unstructured, amount=0.7)
train(torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9), 4)
for module, name in layers:
    prune.remove(module, name)
with torch.no_grad():
    accuracy = float((model(images[1024:]).argmax(1) == labels[1024:]).float().mean())
sparsity = float((model.fc1.weight == 0).float().mean())
print(f"accuracy {accuracy:.3f} with {sparsity:.0%} of fc1 at 0")
assert accuracy > 0.85
