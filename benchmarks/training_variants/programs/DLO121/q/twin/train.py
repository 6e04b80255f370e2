"""Clipping for an unstable copy-memory RNN; the training step is one function."""
from functools import partial

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class CopyRNN(nn.Module):
    def __init__(self, symbols=8, hidden=64):
        super().__init__()
        self.rnn = nn.RNN(symbols, hidden, nonlinearity="relu", batch_first=True)
        nn.init.eye_(self.rnn.weight_hh_l0)
        self.read = nn.Linear(hidden, symbols)

    def forward(self, x):
        return self.read(self.rnn(x)[0])


def copy_task(batch, gap, gen, symbols=8):
    data = torch.randint(0, symbols - 1, (batch, 5), generator=gen)
    blank = torch.full((batch, gap), symbols - 1)
    inputs = torch.cat([data, blank], dim=1)
    target = torch.cat([blank, data], dim=1)[:, : inputs.shape[1]]
    return nn.functional.one_hot(inputs, symbols).float(), target


def train_step(model, optimizer, limit, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = 50 * nn.functional.cross_entropy(model(x).transpose(1, 2), y)
    loss.backward()
    clip_grad_norm_(model.parameters(), limit)
    given = torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()
    optimizer.step()
    return loss.item() / 50, given


def main(steps=60):
    torch.manual_seed(81)
    gen = torch.Generator().manual_seed(82)
    model = CopyRNN()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    step = partial(train_step, model, optimizer, 1.0)
    model.train()
    seen = [step(copy_task(32, 10, gen)) for _ in range(steps)]
    print(f"loss {seen[-1][0]:.3f}, largest gradient norm given to the optimizer {max(g for _, g in seen):.3f}")


if __name__ == "__main__":
    main()
