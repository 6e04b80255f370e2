import torch
from torch import nn

from predict import write_predictions


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(10, 40)
        self.norm = nn.BatchNorm1d(40)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(40, 3)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.norm(self.hidden(x)))))


def fit(net, x, y):
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    net.train()
    for epoch in range(6):
        for xb, yb in zip(x.split(24), y.split(24)):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(xb), yb).backward()
            optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.randn(240, 10)
    y = x[:, :3].argmax(1)
    net = Net()
    fit(net, x[:192], y[:192])
    write_predictions(net, x[192:], "scores.csv")


if __name__ == "__main__":
    main()
