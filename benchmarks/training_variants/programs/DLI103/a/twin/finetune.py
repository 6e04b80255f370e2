import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        m.bias.data.fill_(0.01)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, x):
        return self.net(x)


def loader(n, shift):
    x = torch.randn(n, 12)
    y = ((x[:, :6] + shift).prod(dim=1) > 0).long()
    return DataLoader(TensorDataset(x, y), batch_size=50, shuffle=True)


def train(model, batches, epochs, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        model.train()
        total = 0.0
        for x, y in batches:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
    return total / len(batches)


torch.manual_seed(0)
source = Net()
source.apply(init_weights)
print("pretraining", round(train(source, loader(1000, 0.5), 20, 1e-3), 4))
torch.save(source.state_dict(), "pretrained.pth")

model = Net()
model.apply(init_weights)
model.load_state_dict(torch.load("pretrained.pth"))
print("fine-tuning", round(train(model, loader(200, 0.5), 2, 1e-4), 4))
