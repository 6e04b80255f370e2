import torch
from torch import nn
from torch.utils.data import TensorDataset

from sampling import balanced_loader


def rare_events(n=600):
    x = torch.randn(n, 6)
    y = (x[:, 0] + x[:, 1] > 2.0).long()
    return x, y


def main():
    torch.manual_seed(0)
    x, y = rare_events()
    loader = balanced_loader(TensorDataset(x, y), y, batch_size=30)
    net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for epoch in range(3):
        net.train()
        for features, labels in loader:
            loss = nn.functional.cross_entropy(net(features), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        found = net(x[y == 1]).argmax(1).float().mean().item()
    print(f"share of rare events found {found:.3f}")


if __name__ == "__main__":
    main()
