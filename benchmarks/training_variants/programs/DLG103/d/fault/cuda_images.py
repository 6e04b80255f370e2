import argparse

import torch
from torch import nn
from torch.optim import SGD
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--lr", type=float, default=0.01)
opt = parser.parse_args()
assert torch.cuda.is_available(), "run me on a machine with a GPU"


def convnet():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16 * 15 * 15, 10)
    )


net = convnet().cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = SGD(net.parameters(), lr=opt.lr, momentum=0.9, weight_decay=5e-4)
dataset = TensorDataset(torch.rand(256, 3, 32, 32), torch.randint(0, 10, (256,)))
loader = DataLoader(dataset, batch_size=opt.batch_size, shuffle=True, num_workers=2, pin_memory=True)

for epoch in range(opt.epochs):
    net.train()
    for images, labels in loader:
        images = images.cuda(non_blocking=True)
        outputs = net(images)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", loss.item())
