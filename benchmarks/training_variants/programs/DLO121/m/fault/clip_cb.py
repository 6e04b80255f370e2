import torch
from torch import nn


class Clip:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, net):
        return nn.utils.clip_grad_norm_(net.parameters(), self.limit)


def fit(net, data, callbacks):
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    moved = 0.0
    for x, y in data:
        before = net.weight.detach().clone()
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        for callback in callbacks:
            callback(net)
        loss.backward()
        optimizer.step()
        moved = max(moved, (net.weight.detach() - before).norm().item())
    return moved


if __name__ == "__main__":
    torch.manual_seed(0)
    data = [(torch.randn(16, 3), 100 * torch.randn(16, 1)) for _ in range(3)]
    print("bounded:", fit(nn.Linear(3, 1), data, [Clip(0.1)]) <= 0.101)
