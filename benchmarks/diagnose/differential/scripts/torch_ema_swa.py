"""Averaged weights: an exponential average by hand and SWA of the library."""

import copy

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x[:, :2].sum(1) > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), 32)
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
ema = copy.deepcopy(model).requires_grad_(False)
swa = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
schedule = SWALR(optimizer, swa_lr=0.02)
for epoch in range(5):
    for inputs, labels in loader:
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(ema.parameters(), model.parameters()):
                slow.lerp_(fast, 0.05)
    if epoch > 1:
        swa.update_parameters(model)
        schedule.step()
update_bn(loader, swa)
print(loss.item(), swa(x).sum().item(), ema(x).sum().item())
