"""A scripted module, a traced one, and torch.compile with the eager backend."""

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            x = self.inner(x)
        return torch.relu(x)


torch.manual_seed(0)
scripted = torch.jit.script(Gate())
traced = torch.jit.trace(nn.Linear(4, 4), torch.randn(2, 4))
head = nn.Linear(4, 2)
compiled = torch.compile(head, backend="eager")
optimizer = torch.optim.SGD([*scripted.parameters(), *traced.parameters(), *head.parameters()], lr=0.05)
x, y = torch.rand(32, 4), torch.randint(0, 2, (32,))
for step in range(30):
    loss = nn.functional.cross_entropy(compiled(traced(scripted(x))), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
torch.jit.save(scripted, "gate.pt")
print(torch.jit.load("gate.pt")(x).sum().item())
