"""Signals with noise drawn when they are read."""
import random

import numpy as np
import torch
from torch.utils.data import Dataset


class NoisySignals(Dataset):
    def __init__(self, count=64):
        self.phase = np.linspace(0, 6, count)

    def __len__(self):
        return len(self.phase)

    def __getitem__(self, index):
        t = np.linspace(0, 1, 16)
        clean = np.sin(t * 6 + self.phase[index])
        noisy = clean + np.random.normal(0, 0.1 * random.random(), size=t.shape)
        return torch.tensor(noisy, dtype=torch.float32), torch.tensor(clean, dtype=torch.float32)
