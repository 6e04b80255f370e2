import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def get_data(n=200):
    g = torch.Generator().manual_seed(1)
    x = torch.rand(n, 1, 14, 14, generator=g)
    y = (x[:, 0, :7].mean((1, 2)) > x[:, 0, 7:].mean((1, 2))).long()
    return x, y


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 10, 5), nn.BatchNorm2d(10), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(250, 2)
        )

    def forward(self, x):
        return self.layers(x)


def main():
    torch.manual_seed(0)
    x, y = get_data(200)
    train_set = TensorDataset(x, y)
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
    model = ConvNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()

    model.train()
    for epoch in range(8):
        for images, targets in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(images), targets)
            loss.backward()
            optimizer.step()

    model.eval()
    with torch.no_grad():
        print("accuracy", (model(x).argmax(1) == y).float().mean().item())


if __name__ == "__main__":
    main()
