"""Averaged weights by torch.optim.swa_utils, as in its documentation: a second model follows the first one."""

import sys

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, update_bn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = torch.rand(1400, 2) * 4 - 2
y = ((x[:, 0].sin() * 2 + x[:, 1] ** 2) > 1.2).long()
flipped = torch.rand(1200) < 0.1
y[:1200][flipped] = 1 - y[:1200][flipped]
model = nn.Sequential(nn.Linear(2, 64), nn.BatchNorm1d(64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 2))
ema_model = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.95))
optimizer = torch.optim.RAdam(model.parameters(), lr=5e-3)
for epoch in range(8):
    for at in torch.randperm(1200).split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[at]), y[at]).backward()
        optimizer.step()
        ema_model.update_parameters(model)
update_bn(list(x[:1200].split(100)), ema_model)
ema_model.eval()
with torch.no_grad():
    accuracy = float((ema_model(x[1200:]).argmax(1) == y[1200:]).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.88
