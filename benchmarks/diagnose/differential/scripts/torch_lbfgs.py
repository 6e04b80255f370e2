"""LBFGS with its closure, in double precision."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-2, 2, 64, dtype=torch.double).unsqueeze(1)
y = torch.sin(2 * x)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)).double()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8, max_iter=5, line_search_fn="strong_wolfe")
calls = 0
for step in range(15):

    def closure():
        global calls
        calls += 1
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    print(step, calls, repr(loss.item()))
