"""Training with a schedule of warm-up written as a lambda."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class Learner:
    def __init__(self, net, steps):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.sched = LambdaLR(self.opt, lambda step: min(1.0, (step + 1) / 10) * (1 - step / steps))

    def advance(self):
        for part in (self.sched, self.opt):
            part.step()

    def learn(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.advance()
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(320, 5)
    y = (x.sum(1) > 0).long()
    learner = Learner(nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 2)), steps=60)
    for epoch in range(4):
        for xb, yb in zip(x.split(32), y.split(32)):
            loss = learner.learn(xb, yb)
    print("loss", loss)


if __name__ == "__main__":
    main()
