import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import steps


def main():
    torch.manual_seed(0)
    x = torch.randn(300, 5)
    y = x @ torch.randn(5, 1)
    loader = DataLoader(TensorDataset(x, y), batch_size=25, shuffle=True)
    network = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
    solver = torch.optim.Adam(network.parameters(), lr=0.01)
    for epoch in range(4):
        print(epoch, steps.train_one_epoch(network, loader, nn.MSELoss(), solver))


if __name__ == "__main__":
    main()
