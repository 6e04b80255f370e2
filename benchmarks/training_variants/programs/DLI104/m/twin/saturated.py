import torch
from torch import nn

INIT = {"normal": nn.init.normal_, "xavier": nn.init.xavier_normal_}


def block(inputs, outputs, scheme):
    layer = nn.Linear(inputs, outputs)
    INIT[scheme](layer.weight)
    nn.init.zeros_(layer.bias)
    return nn.Sequential(layer, nn.Sigmoid())


def build(sizes, scheme="xavier"):
    return nn.Sequential(*(block(a, b, scheme) for a, b in zip(sizes, sizes[1:])))


if __name__ == "__main__":
    torch.manual_seed(0)
    net = build([400, 200, 50])
    with torch.no_grad():
        out = net[0](torch.randn(64, 400))
    print("saturated:", ((out < 0.01) | (out > 0.99)).float().mean().item() > 0.5)
