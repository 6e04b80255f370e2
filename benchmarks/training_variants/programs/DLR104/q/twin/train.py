"""Train, keep the last state, and evaluate it in a second phase of the same script."""
import os

import torch
from torch import nn

OUT_DIR = "outputs"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(5, 24)
        self.out = nn.Linear(24, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def torque(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 5, generator=gen)
    return x, x[:, :1] * x[:, 1:2] + 0.5 * x[:, 2:3]


def train(epochs):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3, betas=(0.9, 0.95))
    x, y = torque(800, 1)
    for _ in range(epochs):
        for index in torch.randperm(len(x)).split(40):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x[index]), y[index]).backward()
            optimizer.step()
    os.makedirs(OUT_DIR, exist_ok=True)
    torch.save(net.state_dict(), os.path.join(OUT_DIR, "torque_last.pth"))


def evaluate():
    net = Net()
    net.load_state_dict(torch.load(os.path.join(OUT_DIR, "torque_last.pth"), weights_only=True))
    net.eval()
    x, y = torque(300, 2)
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


if __name__ == "__main__":
    torch.manual_seed(3)
    train(epochs=8)
    print(f"test error {evaluate():.4f}")
