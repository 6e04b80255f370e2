import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class GatedBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.gate = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate = gate + 0.1
        return x + torch.tanh(self.conv(x)) * gate


class GatedNet(nn.Module):
    def __init__(self, channels=8, depth=2, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(1, channels, 3, padding=1)
        self.blocks = nn.Sequential(*[GatedBlock(channels) for _ in range(depth)])
        self.head = nn.Linear(channels, classes)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean(dim=(2, 3)))


def main():
    torch.manual_seed(0)
    labels = torch.arange(90) % 3
    images = torch.randn(90, 1, 10, 10) * (labels + 1).view(-1, 1, 1, 1)
    loader = DataLoader(TensorDataset(images, labels), batch_size=30, shuffle=True)
    net = GatedNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    criterion = nn.CrossEntropyLoss()
    net.train()
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
