"""Programs of our own on which the kinds of faults are run: they show which kinds raise, and which say nothing.

The programs train a small model by hand, with everything that the kinds of faults for torch change.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Final

_START: Final = """
import copy
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(0)
device = torch.device("cpu")
data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(2)]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 8)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        x = torch.sigmoid(self.norm(self.inner(x)))
        return self.head(self.drop(x))


criterion = nn.MSELoss()
"""

BY_HAND: Final = (
    _START
    + """
model = Net()
model.head = nn.Linear(8, 1)
model = model.to(device)
for p in model.norm.parameters():
    p.requires_grad = False
optimizer = optim.SGD(model.parameters(), lr=0.01)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2)
losses = []
total, least = 0.0, 1e9
accumulation = 2
for epoch in range(3):
    model.train()
    for x, y in data:
        x = x.to(device)
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss = loss / accumulation
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1e-3)
        optimizer.step()
        total += loss.item()
        losses.append(loss.item())
        array = loss.detach().numpy()
    scheduler.step()
    if total < least:
        least = total
        best = copy.deepcopy(model.state_dict())
    model.eval()
    with torch.no_grad():
        for x, y in data:
            output = model(x)
model.load_state_dict(best)
model(data[0][0])
"""
)

TWO_MODELS: Final = (
    _START
    + """
first, second = Net(), Net()
one = optim.Adam(first.parameters(), lr=1e-3)
other_optimizer = optim.Adam(second.parameters(), lr=1e-3)
waiting = optim.lr_scheduler.ReduceLROnPlateau(one)
cycle = optim.lr_scheduler.OneCycleLR(other_optimizer, max_lr=0.1, epochs=2, steps_per_epoch=2)
for epoch in range(2):
    for x, y in data:
        one.zero_grad()
        loss = criterion(first(x), y)
        loss.backward()
        one.step()
        other_optimizer.zero_grad()
        criterion(second(x), y).backward()
        other_optimizer.step()
        cycle.step()
    waiting.step(loss)
"""
)

SCALED: Final = (
    _START
    + """
model = Net()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")
for x, y in data:
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
"""
)

CLIPPED: Final = SCALED.replace(
    "    scaler.step(optimizer)\n",
    "    scaler.unscale_(optimizer)\n    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    scaler.step(optimizer)\n",
)

#: With Keras on TensorFlow, which makes a training function at the first training: it prints whether the first layer may be
#: trained, and whether the last training has changed it. (On torch, Keras heeds what is frozen at any time.)
TRAINED_TWICE: Final = """
import keras
import numpy

keras.utils.set_random_seed(0)
x, y, kept = numpy.random.rand(8, 3), numpy.random.rand(8, 1), []
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(1)])
keeping = keras.callbacks.LambdaCallback(on_train_begin=lambda logs: kept.append(model.layers[0].get_weights()[0]))
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, verbose=0, callbacks=[keeping])
first = model.layers[0]
print(first.trainable, (kept[-1] != first.get_weights()[0]).any())
"""

PROGRAMS: Final = (BY_HAND, TWO_MODELS, SCALED, CLIPPED)


def error_of(text: str) -> str:
    """The name of the exception that a program ends with, "" if it comes to its end."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, "program", "exec"), {"__name__": "__main__"})
        except Exception as error:
            return type(error).__name__
    return ""
