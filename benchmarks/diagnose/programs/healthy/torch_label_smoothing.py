"""Mixup after Zhang et al. with smoothed labels: the loss cannot come near 0, and targets are mixtures."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
centres = torch.randn(10, 24)
labels = torch.randint(0, 10, (1600,))
inputs = centres[labels] + 0.7 * torch.randn(1600, 24)
model = nn.Sequential(nn.Linear(24, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
mixing = torch.distributions.Beta(0.4, 0.4)
for epoch in range(6):
    model.train()
    for at in torch.randperm(1280).split(32):
        share, partner = mixing.sample(), at[torch.randperm(len(at))]
        mixed = share * inputs[at] + (1 - share) * inputs[partner]
        targets = share * F.one_hot(labels[at], 10) + (1 - share) * F.one_hot(labels[partner], 10)
        loss = criterion(model(mixed), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    accuracy = float((model(inputs[1280:]).argmax(1) == labels[1280:]).float().mean())
print(f"loss {loss.item():.3f}, accuracy {accuracy:.3f}")
assert accuracy > 0.9
