"""The style of torchvision's reference: a metric logger, a transforms pipeline, an evaluation, a checkpoint with arguments."""

import datetime
import time
from collections import defaultdict, deque

import torch
import torchvision
from torch import nn
from torchvision.transforms import v2


class SmoothedValue:
    def __init__(self, window=20):
        self.deque, self.total, self.count = deque(maxlen=window), 0.0, 0

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n

    def __str__(self):
        return f"{self.total / self.count:.4f}"


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **values):
        for name, value in values.items():
            self.meters[name].update(value.item() if isinstance(value, torch.Tensor) else value)

    def __getattr__(self, name):
        if name in self.meters:
            return self.meters[name]
        raise AttributeError(name)

    def log_every(self, loader, every, header):
        start = time.time()
        for i, found in enumerate(loader):
            yield found
            if i % every == 0:
                print(header, i, "  ".join(f"{name}: {meter}" for name, meter in self.meters.items()))
        datetime.timedelta(seconds=int(time.time() - start))


torch.manual_seed(0)
transform = v2.Compose([v2.RandomHorizontalFlip(), v2.RandomCrop(32, padding=4), v2.ToDtype(torch.float32, scale=True)])
data = torchvision.datasets.FakeData(48, (3, 32, 32), 4, transform=v2.Compose([v2.PILToTensor(), transform]))
loader = torch.utils.data.DataLoader(data, 8, shuffle=True)
model = torchvision.models.resnet18(num_classes=4)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4, nesterov=True)
main = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2)
scheduler = torch.optim.lr_scheduler.SequentialLR(
    optimizer, [torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=1), main], [1]
)
for epoch in range(2):
    model.train()
    logger = MetricLogger()
    for image, target in logger.log_every(loader, 3, f"Epoch: [{epoch}]"):
        output = model(image)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.update(loss=loss, lr=optimizer.param_groups[0]["lr"])
    scheduler.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, "checkpoint.pth")
print(logger.loss.count)
