import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(8 * 13 * 13, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        x = self.dropout(torch.flatten(x, 1))
        return F.log_softmax(self.fc(x), dim=1)


def train(model, train_loader, optimizer):
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()


def test(model, test_loader):
    model.eval()
    test_loss, correct = 0.0, 0
    with torch.no_grad():
        for data, target in test_loader:
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction="sum").item()
            correct += output.argmax(dim=1).eq(target).sum().item()
    size = len(test_loader.dataset)
    print(f"Test set: average loss {test_loss / size:.4f}, accuracy {correct}/{size}, graph: {output.grad_fn is not None}")


def main():
    parser = argparse.ArgumentParser(description="PyTorch example")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    y = torch.randint(0, 10, (300,))
    x = torch.randn(300, 1, 28, 28) * 0.3 + y.view(-1, 1, 1, 1) / 10
    train_loader = DataLoader(TensorDataset(x[:240], y[:240]), batch_size=40, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[240:], y[240:]), batch_size=60)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for _ in range(args.epochs):
        train(model, train_loader, optimizer)
        test(model, test_loader)


if __name__ == "__main__":
    main()
