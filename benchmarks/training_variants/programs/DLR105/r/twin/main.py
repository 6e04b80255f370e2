import torch
from torch import nn

from serve import Scorer


def main():
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    torch.save({"network": network.state_dict(), "epoch": 3}, "scorer.pt")
    print(Scorer("scorer.pt")(torch.randn(5, 4)).shape)


if __name__ == "__main__":
    main()
