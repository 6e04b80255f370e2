"""Sub-pixel super-resolution with mixed precision."""
import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class ESPCN(nn.Module):
    def __init__(self, factor=2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.Tanh(), nn.Conv2d(16, factor**2, 3, padding=1), nn.PixelShuffle(factor)
        )

    def forward(self, x):
        return self.body(x)


class Solver:
    def __init__(self, lr):
        self.net = ESPCN().to(DEVICE)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.scaler = GradScaler(DEVICE.type)

    def epoch(self, loader):
        total = 0.0
        for low, high in loader:
            low, high = low.to(DEVICE), high.to(DEVICE)
            self.optimizer.zero_grad()
            with autocast(DEVICE.type, dtype=torch.bfloat16):
                loss = nn.functional.mse_loss(self.net(low), high)
            self.scaler.scale(loss).backward()
            self.optimizer.step()
            self.scaler.update()
            total += loss.item()
        return total / len(loader)


def main():
    torch.manual_seed(0)
    high = torch.rand(24, 1, 16, 16)
    low = nn.functional.avg_pool2d(high, 2)
    loader = DataLoader(TensorDataset(low, high), batch_size=8)
    solver = Solver(lr=0.01)
    for k in range(3):
        print(f"epoch {k}: mse {solver.epoch(loader):.5f}")


if __name__ == "__main__":
    main()
