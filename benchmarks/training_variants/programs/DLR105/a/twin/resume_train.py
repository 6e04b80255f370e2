import os

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(10, 20)
        self.fc2 = nn.Linear(20, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def save_checkpoint(model, path):
    torch.save(model.state_dict(), path)


def load_model(path):
    model = Net()
    model.load_state_dict(torch.load(path))
    return model


def train(model, x, y, steps=50):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(100, 10)
    y = (x[:, 0] > x[:, 1]).long()
    net = Net()
    print("loss", train(net, x, y))
    save_checkpoint(net, "net.pth")
    restored = load_model("net.pth")
    restored.eval()
    with torch.no_grad():
        print("accuracy", (restored(x).argmax(1) == y).float().mean().item())
    os.remove("net.pth")
