import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Curve(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.hidden = nn.Linear(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


def points(n):
    x = torch.rand(n, 1) * 4 - 2
    return TensorDataset(x, x**3 - 2 * x)


def train(epochs, lr, batch_size):
    loader = DataLoader(points(256), batch_size=batch_size, shuffle=True)
    criterion = nn.MSELoss()
    model = Curve()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        running_loss = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        print("epoch %2d  loss %.4f" % (epoch + 1, running_loss / len(loader)))
    return model


if __name__ == "__main__":
    torch.manual_seed(3)
    net = train(epochs=8, lr=0.01, batch_size=32)
    with torch.no_grad():
        print("f(1) = %.3f" % net(torch.ones(1, 1)).item())
