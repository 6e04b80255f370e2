"""Recommend articles to readers from clicks alone, with pairwise ranking and sampled negatives."""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


def clicks(readers, articles, rng, per_reader=25):
    """Each reader clicks on articles near the own taste; one click of each is held out."""
    taste = rng.normal(size=(readers, 4))
    topic = rng.normal(size=(articles, 4))
    score = 1.5 * taste @ topic.T + rng.gumbel(size=(readers, articles))
    chosen = np.argsort(-score, axis=1)[:, :per_reader]
    for row in chosen:
        rng.shuffle(row)
    return chosen[:, 1:], chosen[:, 0]


class Triples(Dataset):
    """A reader, a clicked article and one that was not clicked (drawn anew each time)."""

    def __init__(self, seen, articles):
        self.articles = articles
        self.pairs = [(reader, article) for reader, row in enumerate(seen) for article in row]
        self.clicked = [set(row.tolist()) for row in seen]

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        reader, article = self.pairs[index]
        other = int(torch.randint(self.articles, (1,)))
        while other in self.clicked[reader]:
            other = int(torch.randint(self.articles, (1,)))
        return reader, int(article), other


class TwoTowers(nn.Module):
    def __init__(self, readers, articles, width):
        super().__init__()
        self.readers = nn.Embedding(readers, width)
        self.articles = nn.Embedding(articles, width)
        self.popularity = nn.Embedding(articles, 1)
        nn.init.normal_(self.readers.weight, std=0.1)
        nn.init.normal_(self.articles.weight, std=0.1)
        nn.init.zeros_(self.popularity.weight)

    def forward(self, readers, articles):
        match = (self.readers(readers) * self.articles(articles)).sum(1)
        return match + self.popularity(articles).squeeze(1)

    def rank_all(self):
        return self.readers.weight @ self.articles.weight.T + self.popularity.weight.squeeze(1)


@torch.no_grad()
def hit_rate(model, seen, held_out, top=10):
    scores = model.rank_all()
    scores.scatter_(1, torch.as_tensor(seen), float("-inf"))
    best = scores.topk(top, dim=1).indices
    return (best == torch.as_tensor(held_out).unsqueeze(1)).any(dim=1).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--readers", type=int, default=400)
    parser.add_argument("--articles", type=int, default=300)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--decay", type=float, default=1e-5)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    seen, held_out = clicks(args.readers, args.articles, rng)
    loader = DataLoader(Triples(seen, args.articles), batch_size=128, shuffle=True)
    model = TwoTowers(args.readers, args.articles, args.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=args.decay)
    print(f"before training: hit rate {hit_rate(model, seen, held_out):.3f}")
    for epoch in range(args.epochs):
        total, count = 0.0, 0
        for readers, liked, others in loader:
            loss = -F.logsigmoid(model(readers, liked) - model(readers, others)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(readers)
            count += len(readers)
        if epoch % 3 == 2:
            print(f"epoch {epoch}: loss {total / count:.4f}, hit rate {hit_rate(model, seen, held_out):.3f}")


if __name__ == "__main__":
    main()
