"""A program that raises after some steps, and writes in the end all the same."""

import atexit

import torch
from torch import nn

atexit.register(lambda: print("at exit"))
torch.manual_seed(0)
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
try:
    for step in range(15):
        inputs = torch.ones(4, 2 if step < 9 else 3)
        loss = model(inputs).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())
finally:
    with open("last.txt", "w") as stream:
        stream.write(repr(loss.item()))
