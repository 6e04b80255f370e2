"""Sample from an autoregressive model of weather states and train it on its own statistics."""
import argparse

import torch
from torch import nn


class Markov(nn.Module):
    def __init__(self, states, dim):
        super().__init__()
        self.embed = nn.Embedding(states, dim)
        self.out = nn.Linear(dim, states)

    def forward(self, s):
        return self.out(torch.tanh(self.embed(s)))


@torch.no_grad()
def generate(model, length, gen):
    model.eval()
    state = torch.zeros(16, dtype=torch.long)
    track = state[:, None]
    for _ in range(length):
        probability = model(state).softmax(-1)
        state = torch.multinomial(probability, 1, generator=gen).squeeze(1)
        track = torch.cat([track, state[:, None]], dim=1)
    return track


def observed(n, gen, matrix):
    state = torch.randint(0, 4, (n,), generator=gen)
    return state, torch.multinomial(matrix[state], 1, generator=gen).squeeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--length", type=int, default=400)
    args = parser.parse_args()
    torch.manual_seed(29)
    gen = torch.Generator().manual_seed(30)
    matrix = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.2, 0.6, 0.1, 0.1], [0.0, 0.3, 0.6, 0.1], [0.4, 0.2, 0.2, 0.2]])
    model = Markov(4, 8)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.99))
    model.train()
    for _ in range(args.steps):
        now, then = observed(128, gen, matrix)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(now), then).backward()
        optimizer.step()
    track = generate(model, args.length, gen)
    share = torch.bincount(track.flatten(), minlength=4) / track.numel()
    print("shares of the states", [round(v, 2) for v in share.tolist()], "length", track.shape[1])


if __name__ == "__main__":
    main()
