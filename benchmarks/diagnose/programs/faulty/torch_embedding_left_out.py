"""Parameter groups name the recurrent layer and the head, and forget the embedding, which stays random.

After questions in the PyTorch forum on parameter groups; "optimizer lacks parameters" in Defects4ML's list.
"""

# set: late
# accept: optimizer-parameters

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(87)
torch.manual_seed(87)
tokens = rng.integers(0, 30, (800, 12))
x, y = torch.tensor(tokens), torch.tensor((tokens < 15).sum(axis=1) > 6).long()


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 16)
        self.rnn = nn.GRU(16, 24, batch_first=True)
        self.head = nn.Linear(24, 2)

    def forward(self, tokens):
        _, last = self.rnn(self.words(tokens))
        return self.head(last[0])


model = Sentiment()
groups = [{"params": model.rnn.parameters()}, {"params": model.head.parameters(), "lr": 0.02}]
optimizer = torch.optim.Adam(groups, lr=0.005)  # expect: DLX105
for epoch in range(6):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
