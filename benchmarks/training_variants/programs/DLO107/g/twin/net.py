import torch
from torch import nn


class SentimentGRU(nn.Module):
    def __init__(self, vocab_size=200, dim=24, p=0.5):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(p)
        self.out = nn.Linear(2 * dim, 1)

    def forward(self, ids):
        emb = self.dropout(self.embedding(ids))
        _, h = self.rnn(emb)
        h = torch.cat([h[0], h[1]], dim=1)
        return self.out(self.dropout(h)).squeeze(1)
