import random

import torch
from torch import nn
from torch.utils.data import DataLoader

from audio_data import RandomCrops


def reseed(worker):
    random.seed(1000 + worker)


def main(seed=0):
    random.seed(seed)
    torch.manual_seed(seed)
    order = torch.Generator().manual_seed(seed)
    loader = DataLoader(RandomCrops(), batch_size=8, shuffle=True, num_workers=2, generator=order)
    net = nn.Sequential(nn.Linear(100, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for wave, tone in loader:
            loss = nn.functional.cross_entropy(net(wave), tone)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("final", loss.item())


if __name__ == "__main__":
    main()
