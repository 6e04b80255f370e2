"""Character language model on a toy corpus; perplexity on a held-out text."""
import math

import torch
from torch import nn
from torch.nn import functional as F

CORPUS = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. " * 40
HELD_OUT = "five quick foxes jump over my lazy box. the dog jugs the brown liquor. " * 6
CHARS = sorted(set(CORPUS + HELD_OUT))
INDEX = {c: i for i, c in enumerate(CHARS)}
BLOCK = 24


def encode(text):
    return torch.tensor([INDEX[c] for c in text], dtype=torch.long)


def get_batch(data, size, gen):
    starts = torch.randint(0, len(data) - BLOCK - 1, (size,), generator=gen)
    x = torch.stack([data[s : s + BLOCK] for s in starts])
    y = torch.stack([data[s + 1 : s + BLOCK + 1] for s in starts])
    return x, y


class CharGRU(nn.Module):
    def __init__(self, vocab, dim=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, num_layers=2, dropout=0.1, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, x, y):
        hidden, _ = self.rnn(self.embed(x))
        logits = self.head(hidden)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten())


@torch.no_grad()
def perplexity(model, data, rounds=10):
    model.eval()
    gen = torch.Generator().manual_seed(99)
    nll = 0.0
    for _ in range(rounds):
        nll += model(*get_batch(data, 16, gen)).item()
    return math.exp(nll / rounds)


def main(steps=120, eval_every=40):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    train_data, test_data = encode(CORPUS), encode(HELD_OUT)
    model = CharGRU(len(CHARS))
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.95))
    for step in range(1, steps + 1):
        model.train()
        loss = model(*get_batch(train_data, 32, gen))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % eval_every == 0:
            print(f"{step:4d} held-out perplexity {perplexity(model, test_data):.2f}")


if __name__ == "__main__":
    main()
