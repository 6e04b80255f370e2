import torch
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 6


class Net(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, 40), nn.ReLU(), nn.Linear(40, n_out))

    def forward(self, x):
        return self.layers(x)


def main():
    torch.manual_seed(0)
    inputs = torch.randn(400, 6)
    targets = inputs.abs().argmax(dim=1)
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=40, shuffle=True)
    net = Net(6, 6)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.5)

    for epoch in range(EPOCHS):
        net.train()
        rate = optimizer.param_groups[0]["lr"]
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"epoch {epoch} lr {rate} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
