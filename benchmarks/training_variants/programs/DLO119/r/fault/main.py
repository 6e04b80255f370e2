import torch
from torch import nn

from solver import Momentum


def main():
    torch.manual_seed(0)
    x = torch.randn(100, 4)
    y = x @ torch.tensor([[1.0], [2.0], [-1.0], [0.5]])
    net = nn.Linear(4, 1)
    solver = Momentum(net.parameters())
    for _ in range(30):
        solver.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        solver.step()
    print(loss.item())


if __name__ == "__main__":
    main()
