import torch
import torch.nn as nn


class MaskedAttention(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, mask):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1)) / self.d ** 0.5
        attn = attn.softmax(dim=-1)
        attn *= mask[:, None, None, :]
        out = (attn @ v).transpose(1, 2).reshape(b, n, -1)
        return self.proj(out)


class SetClassifier(nn.Module):
    def __init__(self, in_dim=3, dim=32):
        super().__init__()
        self.embed = nn.Linear(in_dim, dim)
        self.attn = MaskedAttention(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, pts, mask):
        x = self.embed(pts)
        x = x + self.attn(x, mask)
        pooled = (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.head(pooled)


torch.manual_seed(2)
points = torch.randn(64, 10, 3)
mask = (torch.rand(64, 10) > 0.2).float()
mask[:, 0] = 1
target = (points[..., 0].mean(1) > 0).long()

model = SetClassifier()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(10):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(points, mask), target)
    loss.backward()
    opt.step()
print(round(loss.item(), 4))
