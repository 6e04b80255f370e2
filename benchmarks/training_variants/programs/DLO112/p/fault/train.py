"""One-cycle training of a small residual MLP on the wine data set."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainConfig:
    max_lr: float = 0.1
    epochs: int = 12
    batch_size: int = 16
    widths: list[int] = field(default_factory=lambda: [32, 32])
    seed: int = 4


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.layers(x)


def build(cfg):
    blocks = [nn.Linear(13, cfg.widths[0])] + [Residual(w) for w in cfg.widths]
    return nn.Sequential(*blocks, nn.Linear(cfg.widths[-1], 3))


def data(cfg):
    x, y = load_wine(return_X_y=True)
    parts = train_test_split(x, y, test_size=0.3, random_state=cfg.seed, stratify=y)
    scaler = StandardScaler().fit(parts[0])
    x_train, x_test = (torch.tensor(scaler.transform(p), dtype=torch.float32) for p in parts[:2])
    y_train, y_test = (torch.tensor(p) for p in parts[2:])
    return DataLoader(TensorDataset(x_train, y_train), cfg.batch_size, shuffle=True), (x_test, y_test)


def main(cfg=TrainConfig()):
    torch.manual_seed(cfg.seed)
    loader, (x_test, y_test) = data(cfg)
    model = build(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.max_lr / 25, momentum=0.9, weight_decay=1e-4)
    schedule = OneCycleLR(optimizer, max_lr=cfg.max_lr, epochs=cfg.epochs, steps_per_epoch=len(loader))
    for _ in range(cfg.epochs):
        model.train()
        for xb, yb in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(xb), yb).backward()
            optimizer.step()
        schedule.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"final lr {schedule.get_last_lr()[0]:.2e}, test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
