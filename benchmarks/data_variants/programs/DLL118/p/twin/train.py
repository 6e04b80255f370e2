"""Binary screening test; the accuracy helper thresholds the output."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def samples(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 6, generator=gen)
    return TensorDataset(x, (0.8 * x[:, 0] + 0.5 * torch.randn(n, generator=gen) > 0).float())


class Screen(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def accuracy(model, loader):
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            positive = (torch.sigmoid(model(x)) > 0.5).float()
            hits += (positive == y).sum().item()
    return hits / len(loader.dataset)


def main(epochs=4):
    torch.manual_seed(1)
    model = Screen()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    train, test = DataLoader(samples(1000, 1), batch_size=50, shuffle=True), DataLoader(samples(2000, 2), batch_size=500)
    for _ in range(epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
    print(f"test accuracy {accuracy(model, test):.4f}")


if __name__ == "__main__":
    main()
