"""Binary segmentation of synthetic blobs with a two-level U-Net."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class UNetSmall(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1 = block(1, width)
        self.down2 = block(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.merge = block(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        return self.out(self.merge(torch.cat([a, self.up(b)], dim=1)))


class SegTrainer:
    def __init__(self, model, loader, lr=0.05):
        self.model = model
        self.loader = loader
        self.optim = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.BCEWithLogitsLoss()

    def train_step(self, image, mask):
        logits = self.model(image)
        loss = self.criterion(logits, mask)
        loss.backward()
        self.optim.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for image, mask in self.loader:
                total += self.train_step(image, mask)
            print(f"epoch {epoch}: {total / len(self.loader):.4f}")


def blobs(n, size=16):
    grid = torch.linspace(-1, 1, size)
    cy, cx = torch.rand(n, 1, 1) - 0.5, torch.rand(n, 1, 1) - 0.5
    mask = ((grid[None, :, None] - cy) ** 2 + (grid[None, None, :] - cx) ** 2 < 0.2).float()
    return (mask + 0.3 * torch.randn_like(mask)).unsqueeze(1), mask.unsqueeze(1)


if __name__ == "__main__":
    torch.manual_seed(7)
    images, masks = blobs(64)
    SegTrainer(UNetSmall(), DataLoader(TensorDataset(images, masks), batch_size=16, shuffle=True)).fit(4)
