import torch
from torch import nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)

    def forward(self, x):
        gate = torch.sigmoid(self.fc2(torch.relu(self.fc1(x.mean((2, 3), keepdim=True)))))
        gate *= 2.0
        return x * gate


class Net(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, 2, 1)
        self.blocks = nn.ModuleList([nn.Conv2d(16, 16, 3, 1, 1) for _ in range(2)])
        self.gates = nn.ModuleList([SqueezeExcite(16) for _ in range(2)])
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for conv, gate in zip(self.blocks, self.gates):
            x = x + gate(torch.relu(conv(x)))
        return self.fc(x.mean((2, 3)))


def main():
    torch.manual_seed(0)
    x, y = torch.randn(40, 3, 16, 16), torch.randint(0, 5, (40,))
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        for images, labels in zip(x.split(10), y.split(10)):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(images), labels)
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
