"""A network behind torch.compile, as in the PyTorch tutorial on it; the backend needs no compiler."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
angle, label = 3 * torch.rand(1200), torch.randint(0, 2, (1200,))
radius = angle + 3.14 * label
spirals = torch.stack([angle * radius.cos(), angle * radius.sin()], 1) + 0.05 * torch.randn(1200, 2)

net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
model = torch.compile(net, backend="aot_eager")
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(8):
    for at in torch.randperm(1024).split(32):
        opt.zero_grad(True)
        loss = loss_fn(model(spirals[at]), label[at])
        loss.backward()
        opt.step()
with torch.no_grad():
    accuracy = float((net(spirals[1024:]).argmax(1) == label[1024:]).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.9
