import torch
from torch import nn


class SelfNormalising(nn.Module):
    def __init__(self, features, width, depth, classes):
        super().__init__()
        dims = [features] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.drop = nn.AlphaDropout(0.05)
        self.out = nn.Linear(width, classes)
        self.apply(self._init)

    @staticmethod
    def _init(module):
        if isinstance(module, nn.Linear):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            nn.init.zeros_(module.bias)

    def forward(self, x):
        for layer in self.hidden:
            x = self.drop(torch.selu(layer(x)))
        return self.out(x)


def variance(model, x):
    model.eval()
    with torch.no_grad():
        for layer in model.hidden:
            x = torch.selu(layer(x))
    return x.var().item()


def main():
    torch.manual_seed(0)
    x = torch.randn(256, 20)
    y = (x[:, :2].prod(1) > 0).long()
    model = SelfNormalising(20, 64, depth=8, classes=2)
    print(f"variance after the stack {variance(model, x):.3f}")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model.train()
    for epoch in range(3):
        for i in torch.randperm(256).split(32):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[i]), y[i])
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
