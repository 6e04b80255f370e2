import random

import torch
from torch.utils.data import Dataset


class RandomCrops(Dataset):
    """Fixed-length crops at random places of synthetic recordings."""

    def __init__(self, count=32, length=400, crop=100):
        tone = torch.arange(count) % 4
        time = torch.arange(length) / 20.0
        self.waves = torch.sin(time[None] * (tone[:, None] + 1))
        self.tone, self.crop = tone, crop

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, i):
        start = random.randint(0, self.waves.shape[1] - self.crop)
        gain = random.uniform(0.5, 1.5)
        return gain * self.waves[i, start : start + self.crop], self.tone[i]
