import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, points, classes):
        self.points, self.classes = points, classes

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        j = (i * 7 + 3) % len(self.points)
        return self.points[i], self.points[j], float(self.classes[i] == self.classes[j])


class Branch(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 3), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, stride=2), nn.BatchNorm2d(channels), nn.ReLU(),
        )
        self.embed = nn.Linear(channels * 16, 8)

    def forward(self, x):
        return self.embed(self.features(x).flatten(1))


def contrastive(distance, same, margin=1.0):
    return (same * distance.pow(2) + (1 - same) * (margin - distance).clamp(min=0).pow(2)).mean()


def main():
    torch.manual_seed(0)
    classes = torch.randint(0, 2, (64,))
    points = torch.randn(64, 1, 12, 12) + classes.view(-1, 1, 1, 1)
    loader = DataLoader(Pairs(points, classes), batch_size=16, shuffle=True)
    branch = Branch()
    optimizer = torch.optim.Adam(branch.parameters(), lr=1e-3)
    branch.train()
    for epoch in range(3):
        total = 0.0
        for a, b, same in loader:
            distance = nn.functional.pairwise_distance(branch(a), branch(b))
            loss = contrastive(distance, same.float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, round(total / len(loader), 4))


if __name__ == "__main__":
    main()
