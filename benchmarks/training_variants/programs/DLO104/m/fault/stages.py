from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Stage:
    net: nn.Module
    lr: float
    optim: torch.optim.Optimizer = field(init=False)
    sched: torch.optim.lr_scheduler.LRScheduler = field(init=False)

    def __post_init__(self):
        self.optim = torch.optim.SGD(self.net.parameters(), lr=self.lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.optim, 0.8)

    def epoch(self, x, y):
        self.optim.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.optim.step()
        self.sched.step
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 3)
    stages = {"coarse": Stage(nn.Linear(3, 1), 0.1), "fine": Stage(nn.Linear(3, 1), 0.01)}
    for name, stage in stages.items():
        for _ in range(5):
            stage.epoch(x, x[:, :1])
        print(name, round(stage.optim.param_groups[0]["lr"], 5))


if __name__ == "__main__":
    main()
