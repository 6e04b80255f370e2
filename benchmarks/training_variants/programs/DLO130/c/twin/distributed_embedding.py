import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    return rank, world


def main(epochs=3):
    rank, world = setup()
    torch.manual_seed(0)
    words = torch.randint(0, 40, (64,))
    dataset = TensorDataset(words, (words * 7) % 40)
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=True)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model = DistributedDataParallel(nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 40)))
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        first = None
        for context, target in loader:
            first = context.tolist() if first is None else first
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(context), target)
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(epoch, round(loss.item(), 4), "first batch", first)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
