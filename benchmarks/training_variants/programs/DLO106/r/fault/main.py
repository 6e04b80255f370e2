import torch
from torch import nn

from siamese import Siamese


def main():
    torch.manual_seed(0)
    left, right = torch.randn(64, 12), torch.randn(64, 12)
    same = torch.rand(64)
    net = Siamese()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(3):
        optimizer.zero_grad()
        distance = net(left, right)
        loss = nn.functional.mse_loss(distance, same)
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
