from functools import partial

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

SCHEDULES = {"cycle": partial(OneCycleLR, max_lr=0.1)}


def run(net, batches, epochs, schedule="cycle"):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    scheduler = SCHEDULES[schedule](optimizer, epochs=epochs, steps_per_epoch=len(batches))
    rates = []
    for _ in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
            rates.append(optimizer.param_groups[0]["lr"])
            scheduler.step()
    return max(rates)


if __name__ == "__main__":
    torch.manual_seed(0)
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(10)]
    print("reaches the peak:", run(nn.Linear(4, 1), batches, 5) > 0.09)
