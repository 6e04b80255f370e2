import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class FraudData:
    def __init__(self, n, features=6):
        self.x = torch.randn(n, features)
        self.y = (self.x[:, 0] + self.x[:, 1] > 2.2).long()

    def sampler(self):
        counts = torch.bincount(self.y, minlength=2).clamp(min=1)
        weights = (1.0 / counts)[self.y]
        return WeightedRandomSampler(weights, num_samples=len(self.y), replacement=True)

    def loader(self, batch_size, train):
        options = {"batch_size": batch_size}
        if train:
            return DataLoader(TensorDataset(self.x, self.y), sampler=self.sampler(), shuffle=True, **options)
        return DataLoader(TensorDataset(self.x, self.y), **options)


def fit(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


@torch.no_grad()
def recall(model, loader):
    model.eval()
    hit = positive = 0
    for x, y in loader:
        guess = model(x).argmax(1)
        hit += ((guess == 1) & (y == 1)).sum().item()
        positive += (y == 1).sum().item()
    return hit / max(1, positive)


if __name__ == "__main__":
    torch.manual_seed(0)
    train, test = FraudData(400), FraudData(400)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    fit(net, train.loader(32, train=True), epochs=4)
    print("recall", round(recall(net, test.loader(64, train=False)), 3))
