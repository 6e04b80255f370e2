import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SEED = 7
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class NoisyDigits(Dataset):
    def __init__(self, n=200):
        rng = np.random.RandomState(0)
        self.labels = rng.randint(0, 3, n)
        self.images = rng.rand(n, 1, 8, 8) + self.labels[:, None, None, None]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        image = self.images[idx] + 0.2 * np.random.randn(1, 8, 8)
        if np.random.rand() < 0.5:
            image = image[:, :, ::-1].copy()
        return torch.tensor(image, dtype=torch.float32), int(self.labels[idx])


def main():
    loader = DataLoader(NoisyDigits(), batch_size=20, shuffle=True, num_workers=2)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        model.train()
        for images, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
