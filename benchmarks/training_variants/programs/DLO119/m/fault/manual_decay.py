import torch
from torch import nn


def decay(net, rate):
    for name, p in net.named_parameters():
        if name.endswith("weight"):
            p.data.mul_(1 - rate)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    x = torch.randn(32, 3)
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), x[:, :1])
        loss.backward()
        optimizer.step()
        decay(net, 1e-3)
    print(loss.item())


if __name__ == "__main__":
    main()
