"""A run that saves all its state, builds everything anew, and goes on."""

import random

import numpy as np
import torch
from torch import nn

x = torch.linspace(-1, 1, 40).unsqueeze(1)


def build():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Dropout(0.1), nn.Linear(10, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    return model, optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=60)


def train(model, optimizer, scheduler, steps):
    for _ in range(steps):
        noise = torch.from_numpy(np.random.randn(40, 1).astype("float32")) * random.random() * 0.01
        loss = nn.functional.mse_loss(model(x + noise), x**3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    return loss.item()


random.seed(1)
np.random.seed(1)
model, optimizer, scheduler = build()
print(train(model, optimizer, scheduler, 30))
torch.save(
    [part.state_dict() for part in (model, optimizer, scheduler)] + [torch.get_rng_state(), random.getstate()], "state.pt"
)
model, optimizer, scheduler = build()
*states, numbers, python = torch.load("state.pt", weights_only=False)
for part, state in zip((model, optimizer, scheduler), states):
    part.load_state_dict(state)
torch.set_rng_state(numbers)
random.setstate(python)
print(train(model, optimizer, scheduler, 30), scheduler.get_last_lr())
