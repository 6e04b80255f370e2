"""Mixed precision training with gradient clipping."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class TrainConfig:
    epochs: int = 3
    lr: float = 0.1
    max_grad_norm: float = 1.0


class Blobs(Dataset):
    def __init__(self, n=256):
        generator = torch.Generator().manual_seed(1)
        self.y = torch.arange(n) % 4
        centres = 2 * torch.randn(4, 10, generator=generator)
        self.x = centres[self.y] + torch.randn(n, 10, generator=generator)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class AmpTrainer:
    def __init__(self, model, config, device):
        self.model = model.to(device)
        self.config = config
        self.device = device
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=config.lr)
        self.scaler = torch.amp.GradScaler(device.type)

    def clip(self):
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_grad_norm)

    def training_step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, dtype=torch.float16):
            loss = nn.functional.cross_entropy(self.model(x.to(self.device)), y.to(self.device))
        self.scaler.scale(loss).backward()
        norm = self.clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item(), norm.item()

    def fit(self, loader):
        self.model.train()
        for epoch in range(self.config.epochs):
            for x, y in loader:
                loss, norm = self.training_step(x, y)
            print(f"epoch {epoch}: loss {loss:.4f} norm before clipping {norm:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))
    AmpTrainer(network, TrainConfig(), device).fit(DataLoader(Blobs(), batch_size=32, shuffle=True))
