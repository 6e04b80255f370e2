"""A loop that meets NaN on purpose and skips the step."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
skipped = 0
for step in range(40):
    x = torch.randn(16, 3)
    if step % 13 == 5:
        x[0, 0] = float("nan")
    loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
    optimizer.zero_grad()
    if not torch.isfinite(loss):
        skipped += 1
        continue
    loss.backward()
    optimizer.step()
print(skipped, loss.item())
