import torch
from torch import nn

from monitor import Collector


def main():
    torch.manual_seed(0)
    x = torch.randn(90, 4)
    y = x.mean(1, keepdim=True)
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    collector = Collector()
    for xb, yb in zip(x.split(30), y.split(30)):
        optimizer.zero_grad()
        outputs = net(xb)
        loss = nn.functional.mse_loss(outputs, yb)
        loss.backward()
        optimizer.step()
        collector.add(outputs)
    print(collector.stacked().shape)


if __name__ == "__main__":
    main()
