import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29617")
    dist.init_process_group("gloo", rank=rank, world_size=world)


class Worker:
    def __init__(self, rank, world, args):
        torch.manual_seed(args.seed)
        x = torch.arange(48).float().unsqueeze(1) / 48
        self.data = TensorDataset(x, 3 * x + 1)
        self.sampler = DistributedSampler(self.data, num_replicas=world, rank=rank, seed=args.seed)
        self.loader = DataLoader(self.data, batch_size=args.batch_size, sampler=self.sampler)
        self.model = DistributedDataParallel(nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def run_epoch(self, epoch):
        self.sampler.set_epoch(epoch)
        first = None
        for x, y in self.loader:
            first = x[:3, 0] if first is None else first
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        print(epoch, [round(v * 48) for v in first.tolist()], f"{loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    setup(rank, world)
    worker = Worker(rank, world, args)
    for epoch in range(args.epochs):
        worker.run_epoch(epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
