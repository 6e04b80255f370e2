import itertools

import torch
from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, size=20, code=4):
        super().__init__()
        self.down = nn.Sequential(nn.Linear(size, 16), nn.ReLU(), nn.Linear(16, code))
        self.up = nn.Sequential(nn.Linear(code, 16), nn.ReLU(), nn.Linear(16, size))

    def forward(self, x):
        return self.up(self.down(x))


class Session:
    def __init__(self, net, lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def step(self, batch):
        net = self.net.to(self.device)
        batch = batch.to(self.device)
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(net(batch), batch)
        loss.backward()
        self.opt.step()
        return loss.detach()


def main():
    torch.manual_seed(4)
    rows = torch.randn(128, 20)
    session = Session(AutoEncoder(), lr=1e-3)
    losses = []
    for _, batch in itertools.product(range(3), rows.split(32)):
        losses.append(session.step(batch))
    print(torch.stack(losses).mean().item())


if __name__ == "__main__":
    main()
