import torch
from torch import nn


class Fitter:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 1, gamma=0.5)
        self.used = []

    def begin_epoch(self):
        self.net.train()
        self.schedule.step()

    def end_epoch(self):
        self.net.eval()

    def update(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.net(x), y).backward()
        self.used.append(self.optimizer.param_groups[0]["lr"])
        self.optimizer.step()

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.begin_epoch()
            for batch in batches:
                self.update(*batch)
            self.end_epoch()
        return self.used


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(16, 3)
    print(Fitter(nn.Linear(3, 1)).fit([(x, x[:, :1])], 3))
