import torch
from torch import nn

from loop import optimise


def main():
    torch.manual_seed(0)
    x = torch.randn(120, 5)
    y = 10 * x[:, :1] ** 3
    model = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for epoch in range(4):
        for xb, yb in zip(x.split(20), y.split(20)):
            loss = nn.functional.mse_loss(model(xb), yb)
            optimise(loss, model, optimizer, max_norm=1.0)
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
