import torch
from torch import nn


class TextEncoder(nn.Module):
    def __init__(self, vocab=200, dim=32, heads=4):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(16, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)

    def forward(self, ids):
        where = torch.arange(ids.size(1), device=ids.device)
        return self.encoder(self.tok(ids) + self.pos(where)).mean(dim=1)


class CorpusIndex:
    def __init__(self, encoder, batch_size=8):
        self.encoder = encoder
        self.batch_size = batch_size
        self.vectors = None

    def build(self, documents):
        self.encoder.eval()
        parts = []
        torch.no_grad()
        for batch in documents.split(self.batch_size):
            parts.append(nn.functional.normalize(self.encoder(batch), dim=-1))
        self.vectors = torch.cat(parts)

    @torch.no_grad()
    def search(self, query, k=3):
        vector = nn.functional.normalize(self.encoder(query.unsqueeze(0)), dim=-1)
        return (self.vectors @ vector[0]).topk(k).indices.tolist()


def main():
    torch.manual_seed(3)
    index = CorpusIndex(TextEncoder())
    documents = torch.randint(0, 200, (40, 16))
    index.build(documents)
    print("graph kept:", index.vectors.requires_grad)
    for q in (0, 17, 39):
        print(q, index.search(documents[q]))


if __name__ == "__main__":
    main()
