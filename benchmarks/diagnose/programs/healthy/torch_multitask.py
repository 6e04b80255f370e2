"""Two tasks in turn on one body, each with a head and a loss of its own, as in multi-task tutorials."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"kind": nn.Linear(32, 3), "size": nn.Linear(32, 1)})

    def forward(self, x, task):
        return self.heads[task](self.body(x))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = torch.randn(1500, 12)
kind = (x @ torch.randn(12, 3)).argmax(1)
size = (x[:, :6] * x[:, 6:]).sum(1, keepdim=True) / 2.4
model = MultiTask()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(500):
    at = torch.randint(0, 1200, (32,))
    if step % 2:
        loss = F.cross_entropy(model(x[at], "kind"), kind[at])
    else:
        loss = F.l1_loss(model(x[at], "size"), size[at])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    accuracy = float((model(x[1200:], "kind").argmax(1) == kind[1200:]).float().mean())
    error = float(F.l1_loss(model(x[1200:], "size"), size[1200:]) / size[1200:].abs().mean())
print(f"accuracy {accuracy:.3f}, error {error:.3f} of the mean size")
assert accuracy > 0.8
assert error < 0.75
