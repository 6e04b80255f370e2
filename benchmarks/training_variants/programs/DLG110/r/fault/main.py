import torch
from torch import nn

from embed import embed_all


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 8))
    print(embed_all(net, torch.randn(200, 12).split(20)).shape)


if __name__ == "__main__":
    main()
