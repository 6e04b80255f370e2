import argparse
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Patches(Dataset):
    def __init__(self, count, size=12):
        self.images = np.random.rand(count, size, size).astype("float32")
        self.labels = (self.images.mean(axis=(1, 2)) > 0.5).astype("int64")

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        if random.random() < 0.5:
            image = image[:, ::-1]
        top, left = random.randint(0, 2), random.randint(0, 2)
        image = image[top:top + 10, left:left + 10] + 0.05 * np.random.randn(10, 10)
        return torch.tensor(image, dtype=torch.float32).unsqueeze(0), self.labels[i]


def seed_worker(worker_id):
    worker_seed = torch.initial_seed() % 2**32
    np.random.seed(worker_seed)
    random.seed(worker_seed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=123)
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    data = Patches(64)
    generator = torch.Generator().manual_seed(args.seed)
    loader = DataLoader(
        data, batch_size=16, shuffle=True, num_workers=args.workers, worker_init_fn=seed_worker, generator=generator
    )
    model = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 64, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for image, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(image), label)
            loss.backward()
            optimizer.step()
        print(epoch, round(loss.item(), 5))


if __name__ == "__main__":
    main()
