"""A GRU that keeps its state over the pieces of a long sequence."""
import torch
from torch import nn


class Stateful(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.gru = nn.GRU(inputs, hidden, batch_first=True)
        self.out = nn.Linear(hidden, inputs)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, x):
        output, state = self.gru(x, self.state)
        self.state = state
        return self.out(output)
