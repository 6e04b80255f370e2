import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SmoothedLoss(nn.Module):
    def __init__(self, classes, smoothing=0.1):
        super().__init__()
        self.classes, self.smoothing = classes, smoothing

    def forward(self, logits, target):
        with torch.no_grad():
            truth = torch.full((target.size(0), self.classes), self.smoothing / (self.classes - 1))
            truth.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        return -(truth * logits.log_softmax(dim=1)).sum(dim=1).mean()


class Engine:
    def __init__(self, model, criterion):
        self.device = torch.device("cuda:0")
        self.model = model.to(self.device)
        self.criterion = criterion
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for features, labels in loader:
            features, labels = features.to(self.device), labels.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(features), labels)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 12)
    loader = DataLoader(TensorDataset(x, x[:, :5].argmax(1)), batch_size=25, shuffle=True)
    net = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 5))
    engine = Engine(net, SmoothedLoss(5))
    for epoch in range(3):
        print(epoch, engine.train_epoch(loader))


if __name__ == "__main__":
    main()
