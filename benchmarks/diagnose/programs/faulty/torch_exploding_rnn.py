"""A recurrent network of rectifiers over 60 steps, trained without clipping: one large gradient throws the weights
away.

After Stack Overflow questions on RNN losses that become nan; "exploding gradient" of AUTOTRAINER, "forgotten
gradient clipping" in Theia's list.

Changed after the first look: with weights of 0.22 instead of 0.3 the program ran well, and repaired it learnt
nothing of a sum over all steps. The weights are marked as well since then.
"""

# accept: gradient-clipping, learning-rate, weight-init, recurrent-cell

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(14)
torch.manual_seed(14)
series = rng.normal(size=(600, 60, 2))
targets = series[:, -4:, :1].sum(axis=1) / 2
x, y = torch.tensor(series, dtype=torch.float32), torch.tensor(targets, dtype=torch.float32)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 32, nonlinearity="relu", batch_first=True)
        nn.init.normal_(self.rnn.weight_hh_l0, std=0.3)  # expect: DLX101, DLX104, DLX109
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.head(states[:, -1])


net = Counter()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)  # expect: DLX101, DLX104, DLX109
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
