import copy
import math

import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, num_layers=2, dropout=0.3, batch_first=True)
        self.project = nn.Linear(hidden, 1)

    def forward(self, series):
        output, _ = self.rnn(series)
        return self.project(output[:, -1])


class ForecastTrainer:
    def __init__(self, net, lr=5e-3, patience=5):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.objective = nn.SmoothL1Loss()
        self.patience = patience
        self.best_score = math.inf
        self.best_state = None

    def validate(self, windows, targets):
        self.net.eval()
        with torch.no_grad():
            return self.objective(self.net(windows), targets).item()

    def step(self, windows, targets):
        self.net.train()
        self.optimizer.zero_grad()
        loss = self.objective(self.net(windows), targets)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, train_set, val_set, epochs):
        bad = 0
        for epoch in range(epochs):
            order = torch.randperm(len(train_set[0])).split(32)
            losses = [self.step(train_set[0][index], train_set[1][index]) for index in order]
            score = self.validate(*val_set)
            if score < self.best_score:
                self.best_score, bad = score, 0
                self.best_state = copy.deepcopy(self.net.state_dict())
            else:
                bad += 1
            print(f"{epoch}: {sum(losses) / len(losses):.5f} {score:.5f} training={self.net.training}")
            if bad > self.patience:
                break
        self.net.load_state_dict(self.best_state)


def windows(series, length=16):
    x = series.unfold(0, length + 1, 1)
    return x[:, :-1].unsqueeze(-1), x[:, -1:]


if __name__ == "__main__":
    torch.manual_seed(0)
    wave = torch.sin(torch.arange(400) * 0.2) + 0.05 * torch.randn(400)
    ForecastTrainer(Forecaster()).fit(windows(wave[:300]), windows(wave[300:]), epochs=4)
