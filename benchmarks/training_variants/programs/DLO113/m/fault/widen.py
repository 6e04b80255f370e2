import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.body(x))

    def widen(self, extra):
        old = self.head
        new = nn.Linear(old.in_features, old.out_features + extra)
        with torch.no_grad():
            new.weight[: old.out_features] = old.weight
            new.bias[: old.out_features] = old.bias
        setattr(self, "head", new)


def train(net, optimizer, x, y, steps=10):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    net = Learner(2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for task in range(3):
        if task:
            net.widen(2)
        before = net.head.weight.detach().clone()
        train(net, optimizer, torch.randn(32, 5), torch.randint(2 * task, 2 * task + 2, (32,)))
        print(task, "head moved:", not torch.equal(before, net.head.weight))


if __name__ == "__main__":
    main()
