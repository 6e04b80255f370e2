import torch
from torch import nn

CONFIG = {"frozen": ["stem", "middle"], "lr": 0.01}


def freeze(net, names):
    for name, child in net.named_children():
        if name in names:
            child.requires_grad_(False)
    return net


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.middle = nn.Linear(8, 8)
        self.top = nn.Linear(8, 2)

    def forward(self, x):
        return self.top(self.middle(self.stem(x).relu()).relu())


def main():
    torch.manual_seed(0)
    net = freeze(Net(), CONFIG["frozen"])
    free = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(free, lr=CONFIG["lr"])
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(2, (8,))).backward()
        optimizer.step()
    print(len(free))


if __name__ == "__main__":
    main()
