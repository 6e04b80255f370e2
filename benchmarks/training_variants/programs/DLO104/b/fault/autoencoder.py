from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    width: int = 20
    code: int = 4
    steps: int = 60
    lr: float = 3e-3


class Denoiser(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(config.width, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, config.code))
        self.decode = nn.Sequential(nn.Linear(config.code, 32), nn.ReLU(), nn.Linear(32, config.width))

    def forward(self, x):
        return self.decode(self.encode(x))


class Experiment:
    def __init__(self, config: Config):
        self.config = config
        self.net = Denoiser(config)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=config.lr)
        basis = torch.randn(config.code, config.width)
        self.train_x = torch.randn(300, config.code) @ basis
        self.held_out = torch.randn(100, config.code) @ basis

    def run(self):
        network = self.net
        for _ in range(self.config.steps):
            network.train()
            self.opt.zero_grad()
            loss = nn.functional.mse_loss(network(self.train_x), self.train_x)
            loss.backward()
            self.opt.step()
        return self.score()

    def score(self):
        network = self.net
        network.eval
        with torch.no_grad():
            return nn.functional.mse_loss(network(self.held_out), self.held_out).item()


if __name__ == "__main__":
    torch.manual_seed(11)
    print(f"held out error: {Experiment(Config()).run():.4f}")
