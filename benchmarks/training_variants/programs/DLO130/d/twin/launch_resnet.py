"""torchrun --nproc-per-node 4 launch_resnet.py"""
import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class TrainJob:
    def __init__(self, args):
        self.args = args
        dist.init_process_group(backend=args.backend, init_method=args.url, rank=args.rank, world_size=args.world)
        net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))
        self.net = DDP(net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=args.lr * args.world)

    def data(self):
        torch.manual_seed(1)
        dataset = TensorDataset(torch.randn(40, 3, 8, 8), torch.randint(0, 5, (40,)))
        self.sampler = DistributedSampler(dataset)
        return DataLoader(dataset, self.args.batch, sampler=self.sampler)

    def run(self):
        loader = self.data()
        for epoch in range(self.args.epochs):
            self.sampler.set_epoch(epoch)
            for x, y in loader:
                self.opt.zero_grad()
                loss = nn.functional.cross_entropy(self.net(x), y)
                loss.backward()
                self.opt.step()
            if self.args.rank == 0:
                print("epoch %d loss %.4f" % (epoch, loss.item()))
        dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--backend", default="gloo")
    p.add_argument("--url", default="tcp://127.0.0.1:29517")
    p.add_argument("--rank", type=int, default=int(os.environ.get("RANK", "0")))
    p.add_argument("--world", type=int, default=int(os.environ.get("WORLD_SIZE", "1")))
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--lr", type=float, default=0.05)
    TrainJob(p.parse_args()).run()
