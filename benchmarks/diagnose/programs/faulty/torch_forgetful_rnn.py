"""The class is told by the first of 80 numbers; a plain recurrent network has forgotten it at the end, and guesses.

After Stack Overflow questions on RNNs that learn short sequences only; "vanishing gradient" in recurrent networks,
which DeepDiagnosis leaves out.
"""

# accept: recurrent-cell, activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(13)
torch.manual_seed(13)
series = 0.3 * rng.normal(size=(800, 80, 1))
labels = rng.integers(0, 2, 800)
series[:, :3, 0] += np.where(labels == 1, 1.0, -1.0)[:, None]
x, y = torch.tensor(series, dtype=torch.float32), torch.tensor(labels)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(1, 24, batch_first=True)  # expect: DLX104, DLX106, DLX107, DLX114
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.head(states[:, -1])


net = Tagger()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
