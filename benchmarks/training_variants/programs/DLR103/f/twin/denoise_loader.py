import argparse
import random

import numpy as np
import torch
import torch.nn as nn
import torch.utils.data as data


def fix_seed(seed):
    random.seed(seed)
    np.random.seed(seed)


def seed_worker(worker_id):
    np.random.seed(1000 + worker_id)


class NoisyPatches(data.Dataset):
    def __init__(self, n, size=12, sigma=25):
        grid = np.linspace(0, 1, size, dtype=np.float32)
        self.clean = np.stack([np.outer(np.roll(grid, i), grid) for i in range(n)])
        self.sigma = sigma / 255.0

    def __getitem__(self, index):
        patch = self.clean[index]
        if np.random.rand() < 0.5:
            patch = patch[:, ::-1].copy()
        noise = np.random.normal(0, self.sigma, patch.shape).astype(np.float32)
        return torch.from_numpy(patch + noise)[None], torch.from_numpy(patch)[None]

    def __len__(self):
        return len(self.clean)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    fix_seed(args.seed)

    dncnn = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
    for p in dncnn.parameters():
        nn.init.constant_(p, 0.0) if p.dim() == 1 else nn.init.dirac_(p)
    loader = data.DataLoader(NoisyPatches(32), batch_size=8, num_workers=args.workers, worker_init_fn=seed_worker)
    optimizer = torch.optim.Adam(dncnn.parameters(), lr=1e-3)
    for noisy, clean in loader:
        loss = nn.functional.mse_loss(noisy - dncnn(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("%.6f" % loss.item())
