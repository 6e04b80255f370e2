import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def get_rank():
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def main():
    rank, world = get_rank()
    torch.manual_seed(0)

    x = torch.randn(160, 6)
    dataset = TensorDataset(x, x.prod(1, keepdim=True))
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, seed=0)
    loader = DataLoader(dataset, batch_size=20, sampler=sampler)

    net = nn.Sequential(nn.Linear(6, 32), nn.SiLU(), nn.Linear(32, 1))
    net = DistributedDataParallel(net)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)

    for epoch in range(3):
        sampler.set_epoch(epoch)
        for xb, yb in loader:
            opt.zero_grad(set_to_none=True)
            loss = nn.functional.huber_loss(net(xb), yb)
            loss.backward()
            opt.step()
    if rank == 0:
        print("loss", round(loss.item(), 5))


if __name__ == "__main__":
    main()
