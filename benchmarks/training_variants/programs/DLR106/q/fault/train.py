"""Score documents with a classifier and a vocabulary that another team uploads to the share."""
import argparse
import csv
import pickle
from pathlib import Path

import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.out = nn.Linear(dim, classes)

    def forward(self, ids, offsets):
        return self.out(self.bag(ids, offsets))


def load_package(folder):
    with (folder / "model.pkl").open("rb") as handle:
        model = pickle.load(handle)
    return model.eval(), model.vocabulary


def encode(texts, vocabulary):
    rows = [[vocabulary[w] for w in text.lower().split() if w in vocabulary] or [0] for text in texts]
    offsets = torch.tensor([0, *[len(r) for r in rows[:-1]]]).cumsum(0)
    return torch.tensor([i for row in rows for i in row]), offsets


@torch.inference_mode()
def score(model, vocabulary, texts):
    return model(*encode(texts, vocabulary)).softmax(dim=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=Path)
    parser.add_argument("documents", type=Path)
    args = parser.parse_args()
    model, vocabulary = load_package(args.package)
    with args.documents.open(encoding="utf-8", newline="") as handle:
        texts = [row["text"] for row in csv.DictReader(handle)]
    for text, row in zip(texts, score(model, vocabulary, texts)):
        print(f"{row.argmax().item()}\t{row.max().item():.3f}\t{text[:60]}")


if __name__ == "__main__":
    main()
