import torch
from torch import nn


class Hook:
    def after_backward(self, trainer):
        pass

    def after_step(self, trainer):
        pass


class ClearGradients(Hook):
    def after_backward(self, trainer):
        for optimizer in trainer.optimizers.values():
            optimizer.zero_grad(set_to_none=True)


class Trainer:
    def __init__(self, net, hooks):
        self.net, self.hooks = net, hooks
        self.optimizers = {
            "body": torch.optim.SGD(net[0].parameters(), lr=0.05),
            "head": torch.optim.SGD(net[2].parameters(), lr=0.1),
        }

    def fire(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def fit(self, x, y, steps):
        for _ in range(steps):
            loss = nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.fire("after_backward")
            for optimizer in self.optimizers.values():
                optimizer.step()
            self.fire("after_step")
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    x = torch.randn(64, 4)
    y = x.sum(1, keepdim=True)
    print("learns:", Trainer(net, [ClearGradients()]).fit(x, y, 60) < 1.0)
