import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class LesionNet(nn.Module):
    def __init__(self):
        super(LesionNet, self).__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.classifier = nn.Sequential(nn.Dropout(0.5), nn.Linear(16, 2))

    def forward(self, x):
        x = self.features(x)
        return self.classifier(x.flatten(1))


def train_one_epoch(model, loader, optimizer, loss_fn):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()


def evaluate(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct / len(loader.dataset)


if __name__ == '__main__':
    torch.manual_seed(2020)
    x = torch.rand(160, 3, 32, 32)
    y = (x[:, 0].mean((1, 2)) > x[:, 1].mean((1, 2))).long()
    train_set, val_set = random_split(TensorDataset(x, y), [120, 40])
    train_loader = DataLoader(train_set, batch_size=20, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=20)

    model = LesionNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(4):
        train_one_epoch(model, train_loader, optimizer, nn.CrossEntropyLoss())
        print('epoch', epoch, 'val acc', evaluate(model, val_loader))
