import argparse

import torch
from torch import nn


class SentenceEncoder(nn.Module):
    def __init__(self, vocab=100, dim=24):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim, padding_idx=0)
        self.gru = nn.GRU(dim, dim, batch_first=True, bidirectional=True)

    def forward(self, tokens):
        out, _ = self.gru(self.embedding(tokens))
        return out.mean(dim=1)


def embed(model, corpus, batch_size):
    model.eval()
    vectors = []
    with torch.inference_mode():
        for start in range(0, len(corpus), batch_size):
            vectors.append(model(corpus[start : start + batch_size]))
    return torch.cat(vectors)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--sentences", type=int, default=100)
    opts = ap.parse_args()
    torch.manual_seed(0)
    corpus = torch.randint(1, 100, (opts.sentences, 12))
    vectors = embed(SentenceEncoder(), corpus, opts.batch_size)
    print(vectors.shape, "has a graph:", vectors.requires_grad)


if __name__ == "__main__":
    main()
