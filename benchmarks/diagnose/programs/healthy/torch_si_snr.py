"""Separation of two tones with a learnt basis and masks, after Conv-TasNet: the negative SI-SNR is minimised."""

import sys

import torch
from torch import nn


class TasNet(nn.Module):
    def __init__(self, basis=32):
        super().__init__()
        self.encoder = nn.Conv1d(1, basis, 16, 8, bias=False)
        self.separator = nn.Sequential(
            nn.GroupNorm(1, basis),
            nn.Conv1d(basis, 32, 3, padding=1),
            nn.PReLU(),
            nn.Conv1d(32, 32, 3, padding=2, dilation=2),
            nn.PReLU(),
            nn.Conv1d(32, basis, 1),
        )
        self.decoder = nn.ConvTranspose1d(basis, 1, 16, 8, bias=False)

    def forward(self, mixture):
        codes = torch.relu(self.encoder(mixture[:, None]))
        return self.decoder(codes * torch.sigmoid(self.separator(codes)))[:, 0]


def si_snr(estimate, source, eps=1e-8):
    estimate = estimate - estimate.mean(1, keepdim=True)
    source = source - source.mean(1, keepdim=True)
    scale = (estimate * source).sum(1, keepdim=True) / (source.pow(2).sum(1, keepdim=True) + eps)
    target = scale * source
    return 10 * torch.log10(target.pow(2).sum(1) / ((estimate - target).pow(2).sum(1) + eps) + eps)


def tones(count, low, high):
    frequency = low + (high - low) * torch.rand(count, 1)
    return torch.sin(frequency * torch.arange(256) + 6.28 * torch.rand(count, 1))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
model = TasNet()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
course = []
for step in range(250):
    wanted, other = tones(16, 0.1, 0.4), tones(16, 0.8, 1.6)
    loss = -si_snr(model(wanted + other), wanted).mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
    optimizer.step()
    course.append(loss.item())
print(f"SI-SNR {-course[0]:.1f} dB to {-sum(course[-10:]) / 10:.1f} dB")
assert sum(course[-10:]) / 10 < -8
