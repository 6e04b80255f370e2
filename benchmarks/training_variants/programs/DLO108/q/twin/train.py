"""Iteration-based training (no epochs) of a sequence tagger with periodic validation and early exit."""
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TAGS = 4


def sentences(n, seed, length=15):
    gen = torch.Generator().manual_seed(seed)
    words = torch.randint(0, 80, (n, length), generator=gen)
    tags = (words + words.roll(1, dims=1)) % TAGS
    return TensorDataset(words, tags)


class Tagger(nn.Module):
    def __init__(self, vocab=80, dim=40, hidden=48, p=0.15):
        super().__init__()
        self.lookup = nn.Embedding(vocab, dim)
        self.drop_in, self.drop_out = nn.Dropout(p), nn.Dropout(p)
        self.lstm = nn.LSTM(dim, hidden, bidirectional=True, batch_first=True)
        self.score = nn.Linear(2 * hidden, TAGS)

    def forward(self, words):
        states, _ = self.lstm(self.drop_in(self.lookup(words)))
        return self.score(self.drop_out(states))


class Evaluator:
    def __init__(self, loader):
        self.loader, self.best = loader, 0.0

    @torch.no_grad()
    def __call__(self, net):
        net.eval()
        right = total = 0
        for words, tags in self.loader:
            right += int((net(words).argmax(-1) == tags).sum())
            total += tags.numel()
        self.best = max(self.best, right / total)
        return right / total


def main(max_steps=300, every=50):
    torch.manual_seed(23)
    batches = itertools.chain.from_iterable(itertools.repeat(DataLoader(sentences(600, 1), 30, shuffle=True)))
    evaluate = Evaluator(DataLoader(sentences(150, 2), 50))
    net = Tagger()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=5e-3, alpha=0.9)
    modes = []
    net.train()
    for step, (words, tags) in enumerate(itertools.islice(batches, max_steps), start=1):
        modes.append(net.training)
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(net(words).transpose(1, 2), tags)
        loss.backward()
        optimizer.step()
        if step % every == 0:
            print(f"{step}: loss {loss.item():.3f}, accuracy {evaluate(net):.3f}")
            net.train()
    print(f"steps in training mode {sum(modes)} of {len(modes)}, best accuracy {evaluate.best:.3f}")


if __name__ == "__main__":
    main()
