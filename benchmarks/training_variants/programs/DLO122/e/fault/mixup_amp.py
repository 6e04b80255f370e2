import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast

torch.manual_seed(0)
use_amp = torch.cuda.is_available()
device = torch.device("cuda:0" if use_amp else "cpu")


def mixup_data(x, y, alpha=0.4):
    lam = torch.distributions.Beta(alpha, alpha).sample().item()
    index = torch.randperm(x.size(0), device=x.device)
    return lam * x + (1 - lam) * x[index], y, y[index], lam


def train_epoch(model, data, optimizer, scaler, criterion):
    model.train()
    for images, labels in data:
        images, labels = images.to(device), labels.to(device)
        images, y_a, y_b, lam = mixup_data(images, labels)
        optimizer.zero_grad()
        with autocast(enabled=use_amp):
            out = model(images)
            loss = lam * criterion(out, y_a) + (1 - lam) * criterion(out, y_b)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
    return loss.item()


x, y = torch.rand(64, 3, 16, 16), torch.randint(0, 4, (64,))
data = list(zip(x.split(16), y.split(16)))
model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = GradScaler(enabled=use_amp)
for epoch in range(3):
    print(epoch, "%.4f" % train_epoch(model, data, optimizer, scaler, nn.CrossEntropyLoss()))
