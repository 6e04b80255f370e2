import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)


def split(x, y, share=0.75):
    order = rng.permutation(len(x))
    cut = int(share * len(x))
    return (x[order[:cut]], y[order[:cut]]), (x[order[cut:]], y[order[cut:]])


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 3, generator=torch.Generator().manual_seed(1))
    (x, y), (held, target) = split(x, x.prod(1, keepdim=True))
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(nn.functional.mse_loss(net(held), target).item())


if __name__ == "__main__":
    main()
