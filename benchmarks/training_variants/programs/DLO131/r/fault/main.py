import torch
from torch import nn

from functions import soft_threshold


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 12), nn.Linear(12, 6)

    def forward(self, x):
        return self.decode(soft_threshold(self.encode(x), 0.1))


def main():
    torch.manual_seed(0)
    net = Sparse()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    x = torch.randn(32, 6)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), x)
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
