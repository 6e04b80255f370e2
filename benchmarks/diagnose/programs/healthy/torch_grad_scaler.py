"""The loop of the PyTorch recipe on automatic mixed precision, with scaler and autocast switched off, and clipped gradients."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
use_amp = False
teacher = nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, 1))
for parameter in teacher.parameters():
    parameter.data *= 2
x = torch.randn(1200, 12)
y = teacher(x).detach()
y = (y - y.mean()) / y.std()

net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
scaler = torch.amp.GradScaler("cpu", enabled=use_amp)
loss_fn = nn.MSELoss()
for epoch in range(10):
    for at in torch.randperm(1024).split(32):
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=use_amp):
            output = net(x[at])
            loss = loss_fn(output, y[at])
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.5)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
with torch.no_grad():
    error = float(loss_fn(net(x[1024:]), y[1024:]))
print(f"error {error:.3f} (a constant has 1)")
assert error < 0.4
