import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


class CausalBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        mask = torch.tril(torch.ones(n, n))
        scores = scores.masked_fill(mask == 0, float("-inf"))
        return x + self.out(F.softmax(scores, dim=-1) @ v)


class LM(nn.Module):
    def __init__(self, vocab=32, dim=24, context=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(context, dim)
        self.blocks = nn.Sequential(CausalBlock(dim), CausalBlock(dim))
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        where = torch.arange(ids.size(1))
        return self.head(self.blocks(self.tok(ids) + self.pos(where)))


def main():
    torch.manual_seed(0)
    model = LM().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(10):
        ids = torch.randint(0, 32, (8, 17), device=device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
