"""Mixed precision on the CPU, with a scaler that is switched off."""

import torch
from torch import nn

torch.manual_seed(0)
x, w = torch.randn(128, 16), torch.randn(16, 1)
y = x @ w
model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for step in range(50):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = model(x)
        loss = nn.functional.mse_loss(output.float(), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if step % 10 == 0:
        print(step, loss.item(), norm.item(), output.dtype)
