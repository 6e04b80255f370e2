import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import NoisySignals


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def main():
    seed_all(0)
    loader = DataLoader(NoisySignals(), batch_size=16, shuffle=True, num_workers=2)
    net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(2):
        for noisy, clean in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(noisy), clean)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
