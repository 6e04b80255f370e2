"""Train with a large virtual batch: gradients of several micro-batches are summed before an update."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Plan:
    micro_batch: int = 8
    virtual_batch: int = 64
    epochs: int = 3
    lr: float = 0.02

    @property
    def accumulate(self) -> int:
        return self.virtual_batch // self.micro_batch


def regression_data(n=1024, d=12):
    x = torch.randn(n, d)
    w = torch.randn(d, 1)
    return TensorDataset(x, torch.sin(x @ w) + 0.1 * torch.randn(n, 1))


def total_norm(parameters):
    return torch.stack([p.grad.norm() for p in parameters]).norm().item()


def train(net, data, plan):
    loader = DataLoader(data, batch_size=plan.micro_batch, shuffle=True, drop_last=True)
    optimizer = torch.optim.SGD(net.parameters(), lr=plan.lr, momentum=0.9)
    criterion = nn.MSELoss()
    norms = []
    for _ in range(plan.epochs):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader, start=1):
            loss = criterion(net(x), y)
            loss.backward()
            if i % plan.accumulate == 0:
                norms.append(total_norm(net.parameters()))
                optimizer.step()
                optimizer.zero_grad()
    return norms


if __name__ == "__main__":
    torch.manual_seed(15)
    plan = Plan()
    net = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 1))
    norms = train(net, regression_data(), plan)
    print(f"gradient norm of the first update {norms[0]:.3f}, median {sorted(norms)[len(norms) // 2]:.3f}")
