"""DDP training; start with: torchrun --nproc-per-node 4 train.py"""
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Rings(Dataset):
    def __init__(self, n=4096):
        gen = torch.Generator().manual_seed(0)
        self.y = torch.randint(0, 3, (n,), generator=gen)
        radius = 1.0 + self.y + 0.2 * torch.randn(n, generator=gen)
        angle = 6.2832 * torch.rand(n, generator=gen)
        self.x = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def build_loader(args):
    data = Rings()
    sampler = DistributedSampler(data, shuffle=True, seed=args.seed)
    return DataLoader(data, batch_size=args.batch, sampler=sampler, num_workers=2, pin_memory=True), sampler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.manual_seed(args.seed)
    loader, sampler = build_loader(args)
    net = nn.Sequential(nn.Linear(2, 64), nn.SiLU(), nn.Linear(64, 3)).to(rank)
    net = DistributedDataParallel(net, device_ids=[rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-4)
    for epoch in range(args.epochs):
        net.train()
        running = torch.zeros((), device=rank)
        for x, y in loader:
            x, y = x.to(rank, non_blocking=True), y.to(rank, non_blocking=True)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            running += loss.detach()
        dist.all_reduce(running)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {running.item() / len(loader) / dist.get_world_size():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
