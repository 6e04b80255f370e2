"""A rate that goes up and down (Smith's cyclical learning rates) with SGD and momentum: the loss rises with it at times."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
y = torch.randint(0, 8, (2000,))
x = torch.randn(8, 20)[y] + 1.2 * torch.randn(2000, 20)
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.005, max_lr=0.1, step_size_up=40)
for epoch in range(6):
    for at in torch.randperm(1600).split(32):
        loss = F.cross_entropy(model(x[at]), y[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
with torch.no_grad():
    accuracy = float((model(x[1600:]).argmax(1) == y[1600:]).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.75
