import torch
from torch import nn


class Accumulator:
    """Steps an optimizer after every `every` backward passes."""

    def __init__(self, optimizer, every):
        self.optimizer, self.every, self.count = optimizer, every, 0

    def backward(self, loss):
        (loss / self.every).backward()
        self.count += 1
        if self.count % self.every:
            return
        self.optimizer.step()
        self.optimizer.zero_grad()


def main():
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    before = net.weight.detach().clone()
    steps = Accumulator(torch.optim.SGD(net.parameters(), lr=0.01), every=4)
    x = torch.randn(16, 3)
    for part in x.split(4):
        steps.backward(nn.functional.mse_loss(net(part), part[:, :1]))
    print(round((net.weight.detach() - before).norm().item(), 5))


if __name__ == "__main__":
    main()
