import random
from collections import Counter

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 2021
random.seed(SEED)
torch.manual_seed(SEED)

corpus = ("the king rules the land and the queen rules the court while the farmer ploughs the field " * 8).split()
vocab = [w for w, _ in Counter(corpus).most_common()]
w2i = {w: i for i, w in enumerate(vocab)}
freq = np.array([Counter(corpus)[w] for w in vocab], dtype=float) ** 0.75
freq /= freq.sum()
WINDOW, NEG, DIM = 2, 4, 12


class SGNS(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.inp = nn.Embedding(n, d)
        self.out = nn.Embedding(n, d)

    def forward(self, center, pos, neg):
        v = self.inp(center)
        good = F.logsigmoid((v * self.out(pos)).sum(-1))
        bad = F.logsigmoid(-(self.out(neg) @ v.unsqueeze(-1)).squeeze(-1)).sum(-1)
        return -(good + bad).mean()


pairs = []
for i, w in enumerate(corpus):
    for j in range(max(0, i - WINDOW), min(len(corpus), i + WINDOW + 1)):
        if i != j:
            pairs.append((w2i[w], w2i[corpus[j]]))

model = SGNS(len(vocab), DIM)
opt = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(3):
    random.shuffle(pairs)
    for k in range(0, len(pairs), 64):
        chunk = pairs[k:k + 64]
        c, p = (torch.tensor(t) for t in zip(*chunk))
        n = torch.from_numpy(np.random.choice(len(vocab), size=(len(chunk), NEG), p=freq))
        loss = model(c, p, n)
        opt.zero_grad()
        loss.backward()
        opt.step()
print("loss %.6f" % loss.item())
