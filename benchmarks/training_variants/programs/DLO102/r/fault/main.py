import torch
from torch import nn, optim

from engine import Engine


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 6)
    y = (x[:, 0] > x[:, 1]).long()
    model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
    engine = Engine(model, optim.Adam(model.parameters(), lr=1e-2), nn.CrossEntropyLoss())
    print("loss", engine.run(list(zip(x.split(20), y.split(20))), epochs=4))


if __name__ == "__main__":
    main()
