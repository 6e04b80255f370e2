import torch
from torch import nn

from freeze import freeze_first


class Stack(nn.Module):
    def __init__(self, depth=4, width=16):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(depth))
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def main():
    torch.manual_seed(0)
    net = Stack()
    freeze_first(net, 2)
    optimizer = torch.optim.SGD((p for p in net.parameters() if p.requires_grad), lr=0.05)
    x, y = torch.randn(64, 16), torch.randint(0, 2, (64,))
    for _ in range(5):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    print(sum(p.numel() for p in net.parameters() if p.requires_grad))


if __name__ == "__main__":
    main()
