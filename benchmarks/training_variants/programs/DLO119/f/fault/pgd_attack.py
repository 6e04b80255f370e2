import torch
from torch import nn
import torch.nn.functional as F


class PGD:
    def __init__(self, model, eps=0.1, step=0.02, iters=7):
        self.model, self.eps, self.step, self.iters = model, eps, step, iters

    def __call__(self, x, y):
        delta = torch.zeros_like(x).uniform_(-self.eps, self.eps).requires_grad_(True)
        for _ in range(self.iters):
            loss = F.cross_entropy(self.model(x + delta), y)
            loss.backward()
            delta.data = (delta.data + self.step * delta.grad.sign()).clamp(-self.eps, self.eps)
            delta.grad.zero_()
        return (x + delta).detach()


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(14)
    x = torch.rand(256, 20)
    y = (x[:, :10].sum(1) > x[:, 10:].sum(1)).long()
    net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(60):
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    adv = PGD(net)(x, y)
    print(f"clean {accuracy(net, x, y):.3f} adversarial {accuracy(net, adv, y):.3f}")
