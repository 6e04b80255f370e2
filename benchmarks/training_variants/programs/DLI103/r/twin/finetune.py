"""Fine-tune a small encoder from a checkpoint of its own pretraining."""
import os
import tempfile

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.body(x))


def kaiming(module):
    if isinstance(module, nn.Linear):
        nn.init.kaiming_normal_(module.weight)
        nn.init.zeros_(module.bias)


class FineTuner:
    def __init__(self, path, lr=1e-3):
        self.model = Encoder()
        self.setup()
        self.load(path)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def load(self, path):
        self.model.load_state_dict(torch.load(path, weights_only=True))

    def setup(self):
        self.model.apply(kaiming)
        self.model.train()

    def fit(self, x, y, steps):
        for _ in range(steps):
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(1)
    x = torch.randn(128, 8)
    y = x.pow(2).sum(1, keepdim=True) / 8
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "encoder.pt")
        first = Encoder()
        optimizer = torch.optim.Adam(first.parameters(), lr=1e-2)
        for _ in range(100):
            optimizer.zero_grad()
            nn.functional.mse_loss(first(x), y).backward()
            optimizer.step()
        torch.save(first.state_dict(), path)
        tuner = FineTuner(path)
        print("loss after fine-tuning", tuner.fit(x, y, 5))


if __name__ == "__main__":
    main()
