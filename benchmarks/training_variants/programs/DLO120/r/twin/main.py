import torch
from torch import nn

from model import Stateful


def main():
    torch.manual_seed(0)
    signal = torch.sin(torch.arange(0, 400) * 0.1).reshape(4, 100, 1)
    model = Stateful(1, 16)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        model.reset()
        for start in range(0, 80, 20):
            x, y = signal[:, start:start + 20], signal[:, start + 1:start + 21]
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
