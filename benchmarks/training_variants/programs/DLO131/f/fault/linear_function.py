import torch
from torch import nn


class BinaryLinearFunction(torch.autograd.Function):
    """y = x sign(W)^T + b with a straight-through gradient for W."""

    @staticmethod
    def forward(ctx, input, weight, bias):
        ctx.save_for_backward(input, weight)
        out = input.mm(weight.sign().t())
        return out + bias.unsqueeze(0).expand_as(out)

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_output.mm(weight.sign())
        mask = (weight.abs() <= 1).to(weight.dtype)
        grad_weight = grad_output.t().mm(input) * mask
        grad_bias = grad_output.sum(0).to(bias.dtype)
        return grad_input, grad_weight, grad_bias


class BinaryLinear(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(fout, fin) * 0.1)
        self.bias = nn.Parameter(torch.zeros(fout))

    def forward(self, x):
        return BinaryLinearFunction.apply(x, self.weight, self.bias)


def main():
    torch.manual_seed(4)
    x = torch.randn(200, 16)
    y = (x[:, :4].sum(1) > 0).long()
    net = nn.Sequential(BinaryLinear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), BinaryLinear(32, 2))
    sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    for _ in range(20):
        sgd.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        sgd.step()
    print(round(loss.item(), 4))


if __name__ == "__main__":
    main()
