"""Sine waves after pytorch/examples/time_sequence_prediction: LSTM cells in double precision, L-BFGS on the whole data."""

import sys

import numpy as np
import torch
from torch import nn, optim


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm1 = nn.LSTMCell(1, 16)
        self.lstm2 = nn.LSTMCell(16, 16)
        self.linear = nn.Linear(16, 1)

    def forward(self, input):
        outputs = []
        h_t, c_t, h_t2, c_t2 = (torch.zeros(input.size(0), 16, dtype=torch.double) for _ in range(4))
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            outputs.append(self.linear(h_t2))
        return torch.cat(outputs, dim=1)


seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
np.random.seed(seed)
torch.manual_seed(seed)
torch.set_num_threads(1)
shifts = np.random.randint(-80, 80, (24, 1))
data = torch.from_numpy(np.sin((np.arange(40) + shifts) / 5.0))
input, target = data[4:, :-1], data[4:, 1:]
test_input, test_target = data[:4, :-1], data[:4, 1:]

seq = Sequence().double()
criterion = nn.MSELoss()
optimizer = optim.LBFGS(seq.parameters(), lr=0.8, max_iter=6)
for i in range(10):

    def closure():
        optimizer.zero_grad()
        loss = criterion(seq(input), target)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    with torch.no_grad():
        test_loss = criterion(seq(test_input), test_target)
    print(f"step {i}: {loss.item():.4f}, test {test_loss.item():.4f}")
assert test_loss < 0.05
