"""A rate that is far too low: repairs are tried, and what the program writes is its own."""

import os
import tempfile

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(128, 6)
y = x.sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-7)
os.makedirs("logs", exist_ok=True)
for step in range(120):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with open("logs/loss.txt", "a") as stream:
        stream.write(f"{loss.item()}\n")
    if step % 40 == 0:
        torch.save(model.state_dict(), f"logs/{step}.pt")
        with tempfile.TemporaryDirectory() as folder:
            torch.save(optimizer.state_dict(), os.path.join(folder, "optimizer.pt"))
            print(step, loss.item(), os.listdir(folder))
