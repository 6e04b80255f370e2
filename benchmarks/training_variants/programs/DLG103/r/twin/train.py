"""Training on a GPU."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Runner:
    def __init__(self, net, device):
        self.device = device
        self.net = net.to(device)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def move(self, batch):
        inputs, targets = batch
        return inputs.to(self.device), targets.to(self.device)

    def run(self, loader):
        for batch in loader:
            inputs, targets = self.move(batch)
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.net(inputs), targets)
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 10)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, num_workers=2)
    runner = Runner(nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)), torch.device("cuda:0"))
    print(runner.run(loader))


if __name__ == "__main__":
    main()
