import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Trainer:
    def __init__(self, model, dataset, batch_size):
        self.rank = int(os.environ.get("RANK", 0))
        self.world = int(os.environ.get("WORLD_SIZE", 1))
        self.sampler = DistributedSampler(dataset, num_replicas=self.world, rank=self.rank)
        self.loader = DataLoader(dataset, batch_size=batch_size, sampler=self.sampler)
        self.model = DDP(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def train(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = nn.functional.cross_entropy(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            if self.rank == 0:
                print(f"epoch {epoch} loss {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29631")
    x = torch.randn(96, 5)
    dataset = TensorDataset(x, (x[:, 0] > 0).long())
    net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
    Trainer(net, dataset, batch_size=16).train(epochs=3)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
