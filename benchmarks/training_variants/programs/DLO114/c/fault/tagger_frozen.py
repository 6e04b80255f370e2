import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vectors, n_tags, hidden=16):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.rnn = nn.LSTM(vectors.size(1), hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        h, _ = self.rnn(self.embedding(tokens))
        return self.out(h)


def read_vectors(n=50, dim=12):
    return torch.randn(n, dim)


def main():
    torch.manual_seed(13)
    vectors = read_vectors()
    tagger = Tagger(vectors.clone(), n_tags=5)
    tagger.embedding.requires_grad = False

    trainable = [p for p in tagger.parameters() if p.requires_grad]
    opt = torch.optim.Adam(trainable, lr=1e-2)
    loss_fn = nn.CrossEntropyLoss()
    for it in range(20):
        tokens = torch.randint(0, 50, (16, 7))
        tags = tokens % 5
        opt.zero_grad()
        loss = loss_fn(tagger(tokens).permute(0, 2, 1), tags)
        loss.backward()
        opt.step()
    print("tensors trained:", len(trainable))
    print("drift of the vectors: %.4f" % (tagger.embedding.weight - vectors).abs().mean().item())


if __name__ == "__main__":
    main()
