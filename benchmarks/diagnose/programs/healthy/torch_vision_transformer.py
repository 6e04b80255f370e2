"""Vision transformer after pytorch/examples/vision_transformer: patches, a class token, AdamW, warm-up and cosine decay."""

import math
import sys

import torch
import torch.nn.functional as F
from torch import nn


class ViT(nn.Module):
    def __init__(self, dim=32, patch=4, size=16, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, patch, patch)
        self.token = nn.Parameter(torch.zeros(1, 1, dim))
        self.position = nn.Parameter(0.02 * torch.randn(1, 1 + (size // patch) ** 2, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), -1, -1), x], 1) + self.position
        return self.head(self.norm(self.encoder(x)[:, 0]))


def shapes(count):
    """Stripes of four directions with random phase."""
    y, x = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    label = torch.randint(0, 4, (count,))
    angle = (label * math.pi / 4)[:, None, None]
    phase = 6.28 * torch.rand(count, 1, 1)
    return (torch.sin(1.2 * (x * angle.cos() + y * angle.sin()) + phase) + 0.5 * torch.randn(count, 16, 16))[:, None], label


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
images, labels = shapes(1024)
test_images, test_labels = shapes(256)
model = ViT()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
steps, warm_up = 256, 26
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: s / warm_up if s < warm_up else 0.5 * (1 + math.cos(math.pi * (s - warm_up) / (steps - warm_up)))
)
for epoch in range(8):
    model.train()
    for at in torch.randperm(len(images)).split(32):
        loss = F.cross_entropy(model(images[at]), labels[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    model.eval()
    with torch.no_grad():
        accuracy = float((model(test_images).argmax(1) == test_labels).float().mean())
    print(f"epoch {epoch}: {accuracy:.3f}")
assert accuracy > 0.85
