"""Truncated back-propagation through a long text stream with a stateful LSTM."""
from typing import NamedTuple

import torch
from torch import Tensor, nn


class State(NamedTuple):
    h: Tensor
    c: Tensor


class StreamModel(nn.Module):
    def __init__(self, vocab: int, dim: int, layers: int = 2):
        super().__init__()
        self.dim, self.layers = dim, layers
        self.embed = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, layers)
        self.project = nn.Linear(dim, vocab)

    def start(self, batch: int) -> State:
        shape = (self.layers, batch, self.dim)
        return State(torch.zeros(shape), torch.zeros(shape))

    def forward(self, tokens: Tensor, state: State):
        out, (h, c) = self.lstm(self.embed(tokens), (state.h, state.c))
        return self.project(out), State(h, c)


def stream(length: int, batch: int, vocab: int, seed: int) -> Tensor:
    gen = torch.Generator().manual_seed(seed)
    start = torch.randint(vocab, (1, batch), generator=gen)
    jumps = torch.randint(1, 3, (length - 1, batch), generator=gen)
    return torch.cat([start, jumps]).cumsum(0) % vocab


def train_stream(model, data, optimizer, bptt):
    model.train()
    criterion = nn.CrossEntropyLoss()
    state = model.start(data.shape[1])
    total, chunks = 0.0, 0
    for i in range(0, len(data) - bptt - 1, bptt):
        tokens, targets = data[i : i + bptt], data[i + 1 : i + bptt + 1]
        logits, state = model(tokens, state)
        loss = criterion(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        total, chunks = total + loss.item(), chunks + 1
    return total / chunks


if __name__ == "__main__":
    torch.manual_seed(0)
    vocab = 12
    model = StreamModel(vocab, 32)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, amsgrad=True)
    data = stream(400, 8, vocab, seed=4)
    for epoch in range(3):
        print(epoch, round(train_stream(model, data, optimizer, bptt=20), 4))
