import torch
from torch import nn


class Mixed:
    def __init__(self, net, enabled=True):
        self.net = net
        self.optimizers = [torch.optim.SGD(net.parameters(), lr=0.01)]
        self.scaler = torch.amp.GradScaler("cpu", enabled=enabled)

    def loss(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        return nn.functional.mse_loss(out.float(), y)

    def step(self, x, y):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.scaler.scale(self.loss(x, y)).backward()
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
        self.scaler.update()


if __name__ == "__main__":
    torch.manual_seed(0)
    mixed = Mixed(nn.Linear(4, 1))
    x = torch.randn(16, 4)
    for _ in range(3):
        mixed.step(x, x[:, :1])
    print("sane:", bool(mixed.net.weight.abs().max() < 10))
