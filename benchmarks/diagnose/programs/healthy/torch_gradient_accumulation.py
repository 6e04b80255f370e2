"""Gradients of four small batches are added before each step, as in the PyTorch notes on automatic mixed precision."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
signal = torch.sin(torch.arange(64) * torch.tensor([0.2, 0.35, 0.6])[:, None])
labels = torch.randint(0, 3, (1600,))
shifts = torch.randint(0, 64, (1600,)).tolist()
waves = torch.stack([signal[label].roll(shift) for label, shift in zip(labels, shifts, strict=True)])
waves = (waves + 0.5 * torch.randn_like(waves))[:, None]
loader = DataLoader(TensorDataset(waves[:1280], labels[:1280]), batch_size=4, shuffle=True)

model = nn.Sequential(
    nn.Conv1d(1, 16, 7, padding=3),
    nn.GroupNorm(4, 16),
    nn.ReLU(),
    nn.MaxPool1d(2),
    nn.Conv1d(16, 16, 7, padding=3),
    nn.ReLU(),
    nn.AdaptiveAvgPool1d(1),
    nn.Flatten(),
    nn.Linear(16, 3),
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
iters_to_accumulate = 4
for epoch in range(2):
    for i, (inputs, target) in enumerate(loader):
        loss = F.cross_entropy(model(inputs), target) / iters_to_accumulate
        loss.backward()
        if (i + 1) % iters_to_accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
with torch.no_grad():
    accuracy = float((model(waves[1280:]).argmax(1) == labels[1280:]).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.85
