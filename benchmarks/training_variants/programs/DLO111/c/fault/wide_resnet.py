import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import MultiStepLR

parser = argparse.ArgumentParser(description="residual network on random images")
parser.add_argument("--epochs", default=4, type=int)
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("--milestones", default=[1, 3], type=int, nargs="+")
args = parser.parse_args()
torch.manual_seed(0)


class Basic(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.bn1, self.conv1 = nn.BatchNorm2d(ch), nn.Conv2d(ch, ch, 3, padding=1, bias=False)
        self.bn2, self.conv2 = nn.BatchNorm2d(ch), nn.Conv2d(ch, ch, 3, padding=1, bias=False)

    def forward(self, x):
        y = self.conv1(F.relu(self.bn1(x)))
        return x + self.conv2(F.relu(self.bn2(y)))


model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), Basic(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
scheduler = MultiStepLR(optimizer, milestones=args.milestones, gamma=0.1)
images, labels = torch.randn(48, 3, 8, 8), torch.randint(0, 4, (48,))


def train(epoch):
    model.train()
    for i in range(0, 48, 16):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images[i : i + 16]), labels[i : i + 16])
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "lr %.4f" % optimizer.param_groups[0]["lr"], "loss %.4f" % loss.item())


for epoch in range(1, args.epochs + 1):
    scheduler.step()
    train(epoch)
