import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def rmse(model, loader):
    model.eval()
    total, count = 0.0, 0
    for features, price in loader:
        error = model(features).squeeze(1) - price
        total += (error**2).sum().item()
        count += len(price)
    return (total / count) ** 0.5


def train(model, loader, epochs, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(epochs):
        model.train()
        for features, price in loader:
            opt.zero_grad()
            nn.functional.smooth_l1_loss(model(features).squeeze(1), price).backward()
            opt.step()


torch.manual_seed(12)
area = torch.rand(300, 1)
rooms = torch.randint(1, 6, (300, 1)).float()
x = torch.cat([area, rooms / 5], dim=1)
y = (3 * area + rooms / 5).squeeze(1) + 0.05 * torch.randn(300)
train_loader = DataLoader(TensorDataset(x[:240], y[:240]), batch_size=40, shuffle=True)
test_loader = DataLoader(TensorDataset(x[240:], y[240:]), batch_size=60)

model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
train(model, train_loader, epochs=10, lr=5e-3)
print("test rmse: %.4f" % rmse(model, test_loader))
