import torch
from torch.utils.data import DataLoader, WeightedRandomSampler


def class_weights(labels):
    counts = torch.bincount(labels).float()
    return (1.0 / counts)[labels]


def balanced_loader(dataset, labels, batch_size, shuffle=True):
    sampler = WeightedRandomSampler(class_weights(labels), num_samples=len(labels), replacement=True)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, shuffle=shuffle)
