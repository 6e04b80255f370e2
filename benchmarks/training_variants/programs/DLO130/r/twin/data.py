"""Loaders for several processes."""
import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def loaders(x, y, batch_size):
    train = TensorDataset(x[:96], y[:96])
    sampler = DistributedSampler(train, shuffle=True)
    return DataLoader(train, batch_size=batch_size, sampler=sampler), sampler
