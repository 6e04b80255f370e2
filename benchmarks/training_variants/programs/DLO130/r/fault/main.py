import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from data import loaders


def setup():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))


def train(net, loader, sampler, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


def main():
    setup()
    torch.manual_seed(0)
    x = torch.randn(128, 4)
    net = DDP(nn.Linear(4, 1))
    loader, sampler = loaders(x, x.sum(1, keepdim=True), 16)
    train(net, loader, sampler, 3)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
