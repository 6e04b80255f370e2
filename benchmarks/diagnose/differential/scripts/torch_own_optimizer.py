"""An optimizer that is written out, one below SGD, and a step without any."""

import torch
from torch import nn


class SignDescent(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-group["lr"])


class Clipped(torch.optim.SGD):
    def step(self, closure=None):
        for group in self.param_groups:
            nn.utils.clip_grad_value_(group["params"], 0.1)
        return super().step(closure)


torch.manual_seed(0)
x = torch.randn(64, 4)
first, second, third = (nn.Linear(4, 1) for _ in range(3))
optimizers = SignDescent(first.parameters(), 0.01), Clipped(second.parameters(), lr=0.1)
for step in range(40):
    loss = sum(nn.functional.mse_loss(part(x), x[:, :1]) for part in (first, second, third))
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        for p in third.parameters():
            p -= 0.05 * p.grad
            p.grad.zero_()
print(loss.item())
