"""Predict the stage of a noised signal with a convolutional encoder."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STAGES = 5
SETTINGS = {"channels": (8, 16, 16), "batch_size": 50, "epochs": 8, "lr": 2e-3, "seed": 0}


def noised_signals(count, seed):
    generator = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, 64)
    frequency = 2 + 3 * torch.rand(count, 1, generator=generator)
    signal = torch.sin(6.28 * frequency * t)
    stage = torch.randint(STAGES, (count,), generator=generator)
    level = (stage.float() / STAGES + 0.05).unsqueeze(1)
    noise = torch.randn(count, 64, generator=generator)
    mixed = (1 - level).sqrt() * signal + level.sqrt() * noise
    return TensorDataset(mixed.unsqueeze(1), stage)


class ResidualUnit(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.conv = nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, x):
        return x + self.conv(F.silu(self.norm(x)))


class Down(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.units = nn.Sequential(ResidualUnit(inputs), ResidualUnit(inputs))
        self.reduce = nn.Conv1d(inputs, outputs, 3, stride=2, padding=1)

    def forward(self, x):
        return self.reduce(self.units(x))


class SignalEncoder(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.classes = classes
        self.conv_in = nn.Conv1d(1, channels[0], 3, padding=1)
        self.down = nn.ModuleList(Down(a, b) for a, b in zip(channels, channels[1:], strict=False))
        self.middle = ResidualUnit(channels[-1])

    def forward(self, x):
        h = self.conv_in(x)
        for block in self.down:
            h = block(h)
        h = self.middle(h).flatten(1)
        self.out = nn.Sequential(nn.Linear(h.shape[1], 32), nn.ReLU(), nn.Linear(32, self.classes))
        return self.out(h)


class History(dict):
    def log(self, **values):
        for name, value in values.items():
            self.setdefault(name, []).append(value)
        print("  ".join(f"{name} {value:.4f}" for name, value in values.items()))


def train_one_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for signals, stages in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(signals), stages)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        right = sum((model(signals).argmax(1) == stages).sum().item() for signals, stages in loader)
    return right / len(loader.dataset)


def main(settings):
    torch.manual_seed(settings["seed"])
    train_loader = DataLoader(noised_signals(1500, 1), settings["batch_size"], shuffle=True)
    valid_loader = DataLoader(noised_signals(400, 2), 200)
    model = SignalEncoder(settings["channels"], STAGES)
    model(next(iter(valid_loader))[0])
    optimizer = torch.optim.Adam(model.parameters(), lr=settings["lr"])
    history = History()
    for _ in range(settings["epochs"]):
        history.log(loss=train_one_epoch(model, train_loader, optimizer), accuracy=accuracy(model, valid_loader))
    print(f"final accuracy {history['accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main(SETTINGS)
