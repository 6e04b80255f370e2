"""Binarised network with a clipped straight-through estimator written as an autograd Function."""
import torch
from torch import nn


class BinarySign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs, clip):
        ctx.save_for_backward(inputs)
        ctx.clip = clip
        return torch.where(inputs >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad_output):
        (inputs,) = ctx.saved_tensors
        passed = (inputs.abs() <= ctx.clip).to(grad_output.dtype)
        return grad_output * passed


class BinaryLinear(nn.Linear):
    def __init__(self, n_in, n_out, clip=1.0):
        super().__init__(n_in, n_out, bias=False)
        self.clip = clip

    def forward(self, x):
        scale = self.weight.abs().mean()
        return nn.functional.linear(x, BinarySign.apply(self.weight, self.clip)) * scale


class BinaryNet(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first = BinaryLinear(n_in, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.second = nn.Linear(hidden, n_out)

    def forward(self, x):
        return self.second(torch.relu(self.norm(self.first(x))))


def parity_like(n, gen):
    x = torch.randn(n, 10, generator=gen)
    return x, ((x[:, 0] * x[:, 1] > 0) ^ (x[:, 2] > 0)).long()


def main():
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(44)
    net = BinaryNet(10, 128, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, betas=(0.9, 0.98))
    net.train()
    for step in range(300):
        x, y = parity_like(64, gen)
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    x, y = parity_like(1000, gen)
    with torch.no_grad():
        print("accuracy", round((net(x).argmax(1) == y).float().mean().item(), 3))


if __name__ == "__main__":
    main()
