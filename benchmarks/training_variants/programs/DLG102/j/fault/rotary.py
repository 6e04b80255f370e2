import argparse

import torch
from torch import nn


class RotaryAttention(nn.Module):
    def __init__(self, dim, heads, base=10000.0):
        super().__init__()
        self.heads, self.head_dim, self.base = heads, dim // heads, base
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)

    def angles(self, x):
        half = torch.arange(0, self.head_dim, 2).float() / self.head_dim
        where = torch.arange(x.size(-2)).float()
        return torch.outer(where, self.base**-half)

    def rotate(self, x):
        angle = self.angles(x)
        even, odd = x[..., 0::2], x[..., 1::2]
        cos, sin = angle.cos(), angle.sin()
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(self.rotate(q), self.rotate(k), v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))


class LM(nn.Module):
    def __init__(self, vocab=64, dim=32):
        super().__init__()
        self.emb, self.attn, self.head = nn.Embedding(vocab, dim), RotaryAttention(dim, 4), nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.emb(ids)
        return self.head(h + self.attn(h))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = LM().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(args.steps):
        ids = torch.randint(0, 64, (8, 17)).cuda()
        loss = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
