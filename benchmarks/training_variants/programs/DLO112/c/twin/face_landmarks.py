import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


class LandmarkNet(nn.Module):
    def __init__(self, points=5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2), nn.PReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.PReLU(), nn.AdaptiveAvgPool2d(2)
        )
        self.regress = nn.Linear(64, 2 * points)

    def forward(self, x):
        return self.regress(self.features(x).flatten(1))


def get_data():
    points = torch.rand(96, 10)
    faces = torch.zeros(96, 1, 20, 20)
    for i, p in enumerate(points.view(-1, 5, 2)):
        xy = (p * 19).long()
        faces[i, 0, xy[:, 1], xy[:, 0]] = 1
    return TensorDataset(faces, points)


def main():
    torch.manual_seed(10)
    loader = DataLoader(get_data(), batch_size=24, shuffle=True)
    net = LandmarkNet()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    scheduler = lr_scheduler.ExponentialLR(optimizer, gamma=0.7)

    for epoch in range(5):
        for faces, points in loader:
            optimizer.zero_grad()
            loss = criterion(net(faces), points)
            loss.backward()
            optimizer.step()
        scheduler.step()
        print("epoch", epoch, "lr", optimizer.param_groups[0]["lr"], "loss", round(loss.item(), 5))


if __name__ == "__main__":
    main()
