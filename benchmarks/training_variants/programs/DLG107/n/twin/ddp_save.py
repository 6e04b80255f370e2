import os
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def build():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29619")
    dist.init_process_group("gloo", rank=0, world_size=1)


def train(path):
    replica = DistributedDataParallel(build())
    optimizer = torch.optim.SGD(replica.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        replica(torch.randn(16, 8)).logsumexp(1).mean().backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(replica.module.state_dict(), path)


def export(path):
    net = build()
    net.load_state_dict(torch.load(path, weights_only=True))
    net.eval()
    with torch.no_grad():
        return net(torch.ones(1, 8))


def main():
    torch.manual_seed(0)
    setup()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weights.pt"
            train(path)
            print(export(path).shape)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
