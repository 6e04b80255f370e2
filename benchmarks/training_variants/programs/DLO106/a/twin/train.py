import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def make_data(n=200):
    generator = torch.Generator().manual_seed(5)
    x = torch.randn(n, 10, generator=generator)
    y = (x.sum(dim=1, keepdim=True) > 0).float()
    return TensorDataset(x, y)


def train(model, loader, epochs=3):
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for inputs, targets in loader:
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, targets)
            loss.backward()
            optimizer.step()
        print(f"Epoch {epoch}, loss {loss.item():.4f}")


def accuracy(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for inputs, targets in loader:
            right += ((model(inputs) > 0).float() == targets).sum().item()
            total += len(targets)
    return right / total


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(make_data(), batch_size=25, shuffle=True)
    net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
    train(net, loader)
    print("accuracy", accuracy(net, loader))
