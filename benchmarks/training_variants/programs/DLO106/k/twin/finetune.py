import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from metrics import accuracy


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Dropout(0.2))
        self.classifier = nn.Linear(24, 3)

    def forward(self, x):
        return self.classifier(self.features(x))


def fine_tune(net, train, valid, epochs=3):
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    print(f"before: {accuracy(net, valid):.3f}")
    for epoch in range(epochs):
        net.train()
        for features, labels in train:
            optimizer.zero_grad()
            loss = criterion(net(features), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {accuracy(net, valid):.3f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    x = torch.randn(300, 12)
    y = x[:, :3].argmax(dim=1)
    train_set = DataLoader(TensorDataset(x[:240], y[:240]), batch_size=24, shuffle=True)
    valid_set = DataLoader(TensorDataset(x[240:], y[240:]), batch_size=60)
    fine_tune(Net(), train_set, valid_set)
