"""Scene classification, images decoded on the fly."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scenes(Dataset):
    def __init__(self, n, size):
        self.seeds = torch.arange(n)
        self.size = size

    def __len__(self):
        return len(self.seeds)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(int(self.seeds[i]))
        image = torch.rand(3, self.size, self.size, generator=g)
        return nn.functional.avg_pool2d(image, 2), i % 3


def train(model, loader, device):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for image, label in loader:
        image, label = image.to(device, non_blocking=True), label.to(device, non_blocking=True)
        optimizer.zero_grad()
        loss = criterion(model(image), label)
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cuda = device.type == "cuda"
    loader = DataLoader(Scenes(48, 24), batch_size=12)
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3)).to(device)
    for epoch in range(2):
        print("epoch", epoch, "loss %.5f" % train(model, loader, device))


if __name__ == "__main__":
    main()
