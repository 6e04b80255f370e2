import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Shard:
    def __init__(self, data, rank, world):
        self.sampler = DistributedSampler(data, num_replicas=world, rank=rank, seed=1)
        self.loader = DataLoader(data, batch_size=4, sampler=self.sampler)

    def epochs(self, count):
        for number in range(count):
            yield number, self.loader


def main():
    torch.manual_seed(0)
    x = torch.arange(16.0)[:, None] / 16
    net = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    orders = set()
    for _, loader in Shard(TensorDataset(x), rank=0, world=2).epochs(4):
        order = []
        for (batch,) in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(batch), 2 * batch).backward()
            optimizer.step()
            order += batch.flatten().tolist()
        orders.add(tuple(order))
    print("different orders:", len(orders) > 1)


if __name__ == "__main__":
    main()
