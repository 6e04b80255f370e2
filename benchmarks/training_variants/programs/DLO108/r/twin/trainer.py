"""A trainer with hooks."""
import torch
from torch import nn


class BaseTrainer:
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def on_fit_start(self):
        self.net.train()

    def on_epoch_start(self):
        self.net.train()

    def fit(self, train, valid, epochs):
        self.on_fit_start()
        for epoch in range(epochs):
            self.on_epoch_start()
            for x, y in train:
                self.training_step(x, y)
            print(epoch, self.validate(valid))


class Trainer(BaseTrainer):
    def training_step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.optimizer.step()

    @torch.no_grad()
    def validate(self, valid):
        self.net.eval()
        hits = sum((self.net(x).argmax(1) == y).sum().item() for x, y in valid)
        return hits / sum(len(y) for _, y in valid)
