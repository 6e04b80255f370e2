"""After the PyTorch tutorial "Transfer learning for computer vision": a trained body is frozen, only a new head learns."""

import sys

import torch
from torch import nn, optim
from torch.optim import lr_scheduler

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Six patterns; the body has learnt to tell apart the first four, the head is to tell apart the last two.
patterns = torch.randn(6, 1, 8, 8)
patterns[4], patterns[5] = (patterns[0] + patterns[1]) / 1.4, (patterns[2] + patterns[3]) / 1.4


def images(count, first, last):
    labels = torch.randint(first, last, (count,))
    return patterns[labels] + 0.8 * torch.randn(count, 1, 8, 8), labels - first


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3), nn.ReLU()
        )
        self.fc = nn.Linear(128, classes)

    def forward(self, x):
        return self.fc(torch.flatten(self.features(x), 1))


def train(model, optimizer, scheduler, first, last, steps):
    model.train()
    for _ in range(steps):
        inputs, labels = images(32, first, last)
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        scheduler.step()


criterion = nn.CrossEntropyLoss()
model_conv = Net(4)
optimizer = optim.SGD(model_conv.parameters(), lr=0.02, momentum=0.9)
train(model_conv, optimizer, lr_scheduler.StepLR(optimizer, 100), 0, 4, 100)

for param in model_conv.parameters():
    param.requires_grad = False
model_conv.fc = nn.Linear(128, 2)
optimizer_conv = optim.SGD(model_conv.fc.parameters(), lr=0.01, momentum=0.9)
train(model_conv, optimizer_conv, lr_scheduler.StepLR(optimizer_conv, step_size=60, gamma=0.1), 4, 6, 120)
model_conv.eval()
test, labels = images(400, 4, 6)
accuracy = float((model_conv(test).argmax(1) == labels).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.85
