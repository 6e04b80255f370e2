import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class NoisySines(Dataset):
    def __init__(self, count=64, length=32):
        phase = np.linspace(0, 6, count)[:, None]
        self.clean = np.sin(np.linspace(0, 12, length)[None] + phase).astype("float32")

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, index):
        clean = self.clean[index]
        noisy = clean + np.random.normal(0, 0.3, clean.shape)
        return torch.tensor(noisy, dtype=torch.float32)[None], torch.from_numpy(clean)[None]


def build_loader(seed, batch_size=16, workers=2):
    options = {"batch_size": batch_size, "shuffle": True, "num_workers": workers, "drop_last": True}
    return DataLoader(NoisySines(), **options)
