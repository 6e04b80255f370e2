import torch
from torch import nn

from early import EarlyStopping


def main():
    torch.manual_seed(0)
    x = torch.randn(100, 20)
    y = x[:, :1] + torch.randn(100, 1)
    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    stopper = EarlyStopping(patience=5)
    for epoch in range(40):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[:60]), y[:60]).backward()
        optimizer.step()
        with torch.no_grad():
            loss = nn.functional.mse_loss(net(x[60:]), y[60:]).item()
        if stopper.update(loss, net):
            break
    stopper.restore(net)
    print(nn.functional.mse_loss(net(x[60:]), y[60:]).item(), stopper.best)


if __name__ == "__main__":
    main()
