"""Digit classifier after pytorch/examples/mnist: convolutions, dropout, log-softmax, Adadelta, a step schedule."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

SEGMENTS = ["abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg"]
STROKES = {"a": (0, slice(1, 5)), "b": (slice(1, 5), 5), "c": (slice(6, 10), 5), "d": (10, slice(1, 5)), "e": (slice(6, 10), 0)}
STROKES |= {"f": (slice(1, 5), 0), "g": (5, slice(1, 5))}


def draw(count):
    """Digits of a pocket calculator at random positions of noisy images of 14 x 14."""
    images = 0.1 * torch.rand(count, 1, 14, 14)
    labels = torch.randint(0, 10, (count,))
    for image, label in zip(images, labels, strict=True):
        top, left = int(torch.randint(0, 4, ())), int(torch.randint(0, 8, ()))
        for name in SEGMENTS[int(label)]:
            image[0, top : top + 11, left : left + 6][STROKES[name]] += 0.8
    return (images - 0.13) / 0.31, labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, 1)
        self.conv2 = nn.Conv2d(16, 32, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(32 * 25, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = self.dropout1(F.max_pool2d(x, 2))
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        return F.log_softmax(self.fc2(self.dropout2(x)), dim=1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
train, test = TensorDataset(*draw(1600)), TensorDataset(*draw(400))
model = Net()
optimizer = optim.Adadelta(model.parameters(), lr=1.0)
scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
for epoch in range(4):
    model.train()
    for data, target in DataLoader(train, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        correct = sum(int((model(data).argmax(1) == target).sum()) for data, target in DataLoader(test, batch_size=200))
    print(f"epoch {epoch}: {correct / len(test):.3f}")
    scheduler.step()
assert correct / len(test) > 0.9
