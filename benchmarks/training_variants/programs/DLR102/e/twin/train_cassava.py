import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from seeding import seed_everything

CFG = {"seed": 719, "epochs": 2, "bs": 8, "lr": 1e-3, "img": 24, "classes": 5}


class LeafDataset(Dataset):
    def __init__(self, n):
        self.images = torch.rand(n, 3, CFG["img"], CFG["img"])
        self.targets = torch.randint(0, CFG["classes"], (n,))

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        return self.images[i], self.targets[i]


if __name__ == "__main__":
    seed_everything(CFG["seed"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(LeafDataset(40), batch_size=CFG["bs"], shuffle=True)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5)
    ).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        for images, targets in loader:
            loss = nn.functional.cross_entropy(model(images.to(device)), targets.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 5))
