"""Metrics of torchmetrics in a loop of its own: single ones, a collection, one in the module."""

import torch
import torchmetrics
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
        self.seen = torchmetrics.MeanMetric()

    def forward(self, x):
        self.seen.update(x.mean())
        return self.body(x)


torch.manual_seed(0)
x = torch.randn(96, 6)
y = x[:, :3].argmax(1)
net = Net()
metrics = torchmetrics.MetricCollection(
    {
        "acc": torchmetrics.Accuracy(task="multiclass", num_classes=3),
        "f1": torchmetrics.F1Score(task="multiclass", num_classes=3, average="macro"),
        "auroc": torchmetrics.AUROC(task="multiclass", num_classes=3),
    }
)
confusion = torchmetrics.ConfusionMatrix(task="multiclass", num_classes=3)
tracker = torchmetrics.MetricTracker(metrics.clone(prefix="val_"))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(4):
    tracker.increment()
    for i in range(0, 96, 16):
        output = net(x[i : i + 16])
        loss = nn.functional.cross_entropy(output, y[i : i + 16])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics(output.detach().softmax(-1), y[i : i + 16])
        tracker.update(output.detach().softmax(-1), y[i : i + 16])
        confusion.update(output, y[i : i + 16])
    print(epoch, {name: round(value.item(), 6) for name, value in metrics.compute().items()}, net.seen.compute().item())
    metrics.reset()
print(confusion.compute().tolist())
