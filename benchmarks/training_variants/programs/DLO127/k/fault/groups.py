import torch
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, ff):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(dim, ff), nn.GELU(), nn.Linear(ff, dim))
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        h = self.ln1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.ff(self.ln2(x))


class Model(nn.Module):
    def __init__(self, vocab, dim=24, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(EncoderLayer(dim, 4, 48) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, 2)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x).mean(1))


def build_optimizer(model, lr, decay):
    return torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=decay)


def main():
    torch.manual_seed(5)
    ids = torch.randint(0, 20, (128, 6))
    label = (ids.sum(1) % 2).long()
    model = Model(20)
    optimizer = build_optimizer(model, lr=2e-3, decay=0.2)
    for epoch in range(4):
        for x, y in zip(ids.split(32), label.split(32)):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f} mean gain {model.norm.weight.mean().item():.4f}")


if __name__ == "__main__":
    main()
