"""What a loop writes for TensorBoard."""

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
with SummaryWriter("logs") as writer:
    writer.add_graph(model, torch.randn(1, 3))
    for step in range(40):
        x = torch.randn(32, 3)
        loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        writer.add_scalar("loss", loss.item(), step)
        writer.add_histogram("weights", model[0].weight, step)
print(loss.item())
