"""Additive angular margins after ArcFace: scaled cosines as logits, batches of a few samples of each of some classes."""

import math
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset

CLASSES = 12


class ClassBatches(Sampler):
    """Batches of four samples of each of eight classes, those of a class side by side."""

    def __init__(self, labels):
        self.rows = [(labels == label).nonzero().squeeze(1) for label in range(CLASSES)]

    def __len__(self):
        return 60

    def __iter__(self):
        for _ in range(len(self)):
            chosen = torch.randperm(CLASSES)[:8].tolist()
            yield [int(at) for label in chosen for at in self.rows[label][torch.randperm(len(self.rows[label]))[:4]]]


class ArcMarginProduct(nn.Module):
    def __init__(self, width, s=24.0, m=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(CLASSES, width))
        nn.init.xavier_uniform_(self.weight)
        self.s, self.m = s, m

    def forward(self, features, label):
        cosine = F.linear(F.normalize(features), F.normalize(self.weight)).clamp(-1 + 1e-6, 1 - 1e-6)
        sine = (1 - cosine.pow(2)).sqrt()
        shifted = cosine * math.cos(self.m) - sine * math.sin(self.m)
        return self.s * torch.where(F.one_hot(label, CLASSES).bool(), shifted, cosine)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
labels = torch.arange(960) % CLASSES
faces = torch.randn(CLASSES, 30)[labels] + 0.8 * torch.randn(960, 30)
body = nn.Sequential(nn.Linear(30, 64), nn.PReLU(), nn.Linear(64, 16), nn.BatchNorm1d(16))
margin = ArcMarginProduct(16)
optimizer = torch.optim.Adam([*body.parameters(), *margin.parameters()], lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(4):
    for images, targets in DataLoader(TensorDataset(faces, labels), batch_sampler=ClassBatches(labels)):
        loss = criterion(margin(body(images), targets), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
body.eval()
with torch.no_grad():
    nearest = F.linear(F.normalize(body(faces)), F.normalize(margin.weight)).argmax(1)
accuracy = float((nearest == labels).float().mean())
print(f"loss {loss.item():.3f}, accuracy {accuracy:.3f}")
assert accuracy > 0.9
