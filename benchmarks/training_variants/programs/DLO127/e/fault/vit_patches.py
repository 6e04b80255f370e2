import torch
from torch import nn


class PatchTransformer(nn.Module):
    def __init__(self, image=16, patch=4, dim=32, depth=2, classes=3):
        super().__init__()
        self.to_patch = nn.Conv2d(3, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, (image // patch) ** 2 + 1, dim) * 0.02)
        block = nn.TransformerEncoderLayer(dim, 4, dim * 2, dropout=0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, depth, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.to_patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1) + self.pos
        return self.head(self.blocks(x)[:, 0])


def warmup(step, total=10):
    return min(1.0, (step + 1) / total)


torch.manual_seed(0)
x = torch.rand(48, 3, 16, 16)
y = x.mean((2, 3)).argmax(1)
model = PatchTransformer()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.05)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, warmup)
for epoch in range(4):
    for xb, yb in zip(x.split(16), y.split(16)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(epoch, round(loss.item(), 5))
