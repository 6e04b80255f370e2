"""Training with a rate that shall fall when the validation loss stays."""
import torch
from torch import nn, optim


class Trainer:
    def __init__(self, net, lr=1e-2, patience=1):
        self.net = net
        self.optimizer = optim.Adam(net.parameters(), lr=lr)
        self.lr_scheduler = optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=patience)

    def _train(self, batches):
        self.net.train()
        for x, y in batches:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def _validate(self, batches):
        self.net.eval()
        return sum(nn.functional.mse_loss(self.net(x), y).item() for x, y in batches) / len(batches)

    def fit(self, train, valid, epochs):
        for epoch in range(epochs):
            self._train(train)
            loss = self._validate(valid)
            self.lr_scheduler.step(loss)
            print(epoch, loss, self.optimizer.param_groups[0]["lr"])


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 3)
    y = x.sin().sum(1, keepdim=True)
    batches = list(zip(x.split(20), y.split(20)))
    Trainer(nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))).fit(batches[:8], batches[8:], 8)


if __name__ == "__main__":
    main()
