import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EEGNet(nn.Module):
    def __init__(self, channels=8, samples=64, classes=2):
        super().__init__()
        self.temporal = nn.Conv2d(1, 4, (1, 15), padding=(0, 7), bias=False)
        self.spatial = nn.Conv2d(4, 8, (channels, 1), groups=4, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.pool = nn.AvgPool2d((1, 8))
        self.fc = nn.Linear(8 * (samples // 8), classes)

    def forward(self, x):
        x = self.bn(self.spatial(self.temporal(x)))
        return self.fc(self.pool(nn.functional.elu(x)).flatten(1))


def train(model, loader, epochs=8):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    return model


@torch.no_grad()
def test(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(77)
    y = torch.randint(0, 2, (240,))
    x = torch.randn(240, 1, 8, 64)
    x[:, 0, 2] += (y * 2 - 1)[:, None] * torch.sin(torch.arange(64) / 3)
    train_loader = DataLoader(TensorDataset(x[:180], y[:180]), batch_size=30, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[180:], y[180:]), batch_size=30)

    model = EEGNet()
    model = train(model, train_loader)

    model = EEGNet()
    acc = test(model, test_loader)
    print("test accuracy: %.3f" % acc)


main()
