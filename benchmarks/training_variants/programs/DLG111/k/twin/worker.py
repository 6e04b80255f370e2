import torch
from torch import nn

from settings import Settings, network


class Worker:
    def __init__(self, settings):
        self.settings = settings
        self.network = network(settings)
        if settings.cuda and torch.cuda.is_available():
            self.network.cuda()
        self.optimizer = torch.optim.Adagrad(self.network.parameters(), lr=settings.rate)
        self.loss = nn.HuberLoss()

    def train(self, x, y):
        place = next(self.network.parameters()).device
        for epoch in range(self.settings.epochs):
            for i in torch.randperm(len(x)).split(self.settings.batch):
                features, target = x[i].to(place), y[i].to(place)
                self.optimizer.zero_grad()
                value = self.loss(self.network(features).squeeze(1), target)
                value.backward()
                self.optimizer.step()
            print(epoch, f"{value.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    inputs = torch.randn(160, Settings().features)
    Worker(Settings()).train(inputs, inputs[:, 0].abs() + inputs[:, 1])
