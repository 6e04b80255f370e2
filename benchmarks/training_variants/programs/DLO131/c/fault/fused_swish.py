import torch
from torch import nn
from torch.autograd import Function


class ScaledSwish(Function):
    @staticmethod
    def forward(ctx, x, beta):
        gate = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, gate)
        ctx.beta = beta
        return x * gate

    @staticmethod
    def backward(ctx, grad_output):
        x, gate = ctx.saved_tensors
        slope = gate * (1 + ctx.beta * x * (1 - gate))
        return grad_output * slope


class Swish(nn.Module):
    def __init__(self, beta=1.0):
        super().__init__()
        self.beta = beta

    def forward(self, x):
        return ScaledSwish.apply(x, self.beta)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 32), Swish(1.5), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    x = torch.rand(64, 4)
    y = x.prod(dim=1, keepdim=True)
    for epoch in range(30):
        optimizer.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print("loss %.6f" % loss.item())


if __name__ == "__main__":
    main()
