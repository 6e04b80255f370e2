import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from contrastive import SimCLR


def main(rank, world_size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "29533"
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = DDP(SimCLR())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(10):
        x = torch.randn(32, 12)
        optimizer.zero_grad()
        loss = model(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        loss.backward()
        optimizer.step()
    if rank == 0:
        model.eval()
        with torch.no_grad():
            codes = model.encode(torch.randn(4, 12))
        print("loss %.4f" % loss.item(), tuple(codes.shape))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(0, 1)
