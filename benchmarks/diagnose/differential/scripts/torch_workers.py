"""A loader with two workers that augment at random."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Augmented(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        generator = np.random.default_rng(i)
        x = torch.from_numpy(generator.normal(size=6).astype("float32"))
        return {"x": x + 0.01 * torch.randn(6), "y": x.sum() > 0, "worker": get_worker_info().id}


def seeded(worker):
    np.random.seed(torch.initial_seed() % 2**32)


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(Augmented(128), 16, shuffle=True, num_workers=2, worker_init_fn=seeded, persistent_workers=True)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        workers = 0
        for batch in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(batch["x"])[:, 0], batch["y"].float())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            workers += int(batch["worker"].sum())
        print(epoch, workers, loss.item())
