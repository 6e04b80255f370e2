"""Multi-process training through torch.multiprocessing.spawn on CPU workers with gloo."""
import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@dataclass
class Job:
    world: int = 4
    epochs: int = 5
    batch: int = 32
    lr: float = 0.01
    port: str = "29511"


def dataset():
    gen = torch.Generator().manual_seed(0)
    x = torch.randn(4000, 15, generator=gen)
    return TensorDataset(x, (x[:, :5].prod(dim=1) > 0).float().unsqueeze(1))


def start(rank, job):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=job.port)
    dist.init_process_group("gloo", rank=rank, world_size=job.world)
    torch.manual_seed(1)


def worker(rank, job):
    start(rank, job)
    data = dataset()
    model = DDP(nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Linear(64, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=job.lr, momentum=0.9)
    criterion = nn.BCEWithLogitsLoss()
    loader = DataLoader(data, batch_size=job.batch, sampler=DistributedSampler(data, job.world, rank, shuffle=True, seed=1))
    for epoch in range(job.epochs):
        loader.sampler.set_epoch(epoch)
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if rank == 0:
            print(f"epoch {epoch}: {total / len(loader):.4f} over {len(loader)} batches")
    dist.destroy_process_group()


if __name__ == "__main__":
    job = Job()
    mp.spawn(worker, args=(job,), nprocs=job.world)
