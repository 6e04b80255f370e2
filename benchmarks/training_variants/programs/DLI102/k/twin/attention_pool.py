import math

import torch
from torch import nn


class MultiQueryPooling(nn.Module):
    def __init__(self, dim, queries):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))
        self.bias = nn.Parameter(torch.Tensor(dim))
        self.query = nn.Parameter(torch.Tensor(queries, dim))
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.zeros_(self.bias)
        nn.init.normal_(self.query, std=bound)

    def forward(self, x, mask):
        keys = torch.tanh(nn.functional.linear(x, self.weight, self.bias))
        scores = (keys @ self.query.t()).masked_fill(~mask.unsqueeze(-1), float("-inf"))
        return (scores.softmax(1).transpose(1, 2) @ x).flatten(1)


class DocumentModel(nn.Module):
    def __init__(self, vocab, dim=16, queries=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.pool = MultiQueryPooling(dim, queries)
        self.score = nn.Linear(dim * queries, 1)

    def forward(self, tokens):
        return self.score(self.pool(self.embed(tokens), tokens != 0)).squeeze(1)


if __name__ == "__main__":
    torch.manual_seed(0)
    tokens = torch.randint(1, 30, (128, 9))
    tokens[::2, 6:] = 0
    target = (tokens == 7).any(1).float()
    model = DocumentModel(30)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(5):
        for x, y in zip(tokens.split(32), target.split(32)):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f} query norm {model.pool.query.norm().item():.4f}")
