import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class RandomCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, signal):
        start = np.random.randint(0, len(signal) - self.size + 1)
        return signal[start : start + self.size]


class SignalDataset(Dataset):
    def __init__(self, split, transform=None):
        generator = torch.Generator().manual_seed(0 if split == "train" else 1)
        self.labels = torch.arange(128) % 2
        phase = torch.rand(128, 1, generator=generator) * 6
        speed = 0.3 + 0.3 * self.labels[:, None]
        self.signals = torch.sin(phase + speed * torch.arange(64))
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        signal = self.signals[index]
        if self.transform is not None:
            signal = self.transform(signal)
        return signal.unsqueeze(0), self.labels[index]


def get_loader(split, batch_size, workers):
    transform = RandomCrop(48) if split == "train" else None
    options = {"batch_size": batch_size, "num_workers": workers, "shuffle": split == "train"}
    return DataLoader(SignalDataset(split, transform), **options)
