from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Best:
    loss: float = float("inf")
    weights: dict = field(default_factory=dict)

    def offer(self, loss, net):
        if loss < self.loss:
            self.loss = loss
            self.weights = {name: p.detach().clone() for name, p in net.named_parameters()}

    def restore(self, net):
        net.load_state_dict(self.weights)


def main():
    torch.manual_seed(0)
    net, best = nn.Linear(3, 1), Best()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    x = torch.randn(64, 3)
    y = x[:, :1]
    for step in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y if step < 10 else -y)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            best.offer(nn.functional.mse_loss(net(x), y).item(), net)
    best.restore(net)
    with torch.no_grad():
        print("restored:", abs(nn.functional.mse_loss(net(x), y).item() - best.loss) < 1e-6)


if __name__ == "__main__":
    main()
