import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

SEED = 5
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class NoisyDigits(Dataset):
    def __init__(self, n):
        self.labels = np.arange(n) % 10
        self.images = np.zeros((n, 10, 10), dtype=np.float32)
        self.images[np.arange(n), self.labels] = 1.0

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = np.roll(self.images[index], np.random.randint(-2, 3), axis=1)
        image = image + np.random.normal(0, 0.5, image.shape)
        return torch.from_numpy(image.astype(np.float32)), int(self.labels[index])


def seed_worker(worker_id):
    np.random.seed(SEED + worker_id)


def main():
    loader = DataLoader(
        NoisyDigits(60),
        batch_size=20,
        num_workers=2,
        worker_init_fn=seed_worker,
    )
    net = nn.Sequential(nn.Flatten(), nn.Linear(100, 10))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(2):
        for image, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(image), label)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, loss.item())


if __name__ == "__main__":
    main()
