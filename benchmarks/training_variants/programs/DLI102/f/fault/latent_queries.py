import torch
import torch.nn as nn


class LatentPooler(nn.Module):
    """Perceiver-like pooling of a variable number of tokens."""

    def __init__(self, dim=32, n_latents=4, heads=4):
        super().__init__()
        self.latents = nn.Parameter(torch.empty(n_latents, dim))
        self.pos_embed = nn.Parameter(torch.empty(1, 64, dim))
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        nn.init.trunc_normal_(self.pos_embed, std=0.02)

    def forward(self, tokens):
        tokens = tokens + self.pos_embed[:, :tokens.size(1)]
        q = self.latents.unsqueeze(0).expand(tokens.size(0), -1, -1)
        pooled, _ = self.attn(q, tokens, tokens)
        return self.norm(pooled).mean(1)


class TimeSeriesClassifier(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.stem = nn.Conv1d(channels, 32, 5, stride=2, padding=2)
        self.pool = LatentPooler(32)
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.pool(self.stem(x).transpose(1, 2)))


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 3, 50)
    y = (x[:, 0].std(1) > x[:, 1].std(1)).long()
    net = TimeSeriesClassifier(3, 2)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
    for epoch in range(5):
        for xb, yb in zip(x.split(16), y.split(16)):
            loss = nn.functional.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
    print("%.4f" % loss.item(), "latents start/end norm %.3f" % net.pool.latents.norm().item())


if __name__ == "__main__":
    main()
