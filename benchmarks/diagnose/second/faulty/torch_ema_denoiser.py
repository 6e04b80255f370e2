"""Signal denoising with an exponential moving average of the weights for evaluation."""

import argparse
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ExponentialMovingAverage:
    """Keeps a slow copy of a model's parameters."""

    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for parameter in self.model.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        one_minus_decay = 1.0 - self.decay
        for shadow, parameter in zip(self.model.parameters(), model.parameters(), strict=True):
            gap = shadow - parameter
            shadow.add_(gap * one_minus_decay)
        for shadow, buffer in zip(self.model.buffers(), model.buffers(), strict=True):
            shadow.copy_(buffer)


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 7, padding=3),
            nn.GELU(),
            nn.Conv1d(width, width, 7, padding=3),
            nn.BatchNorm1d(width),
            nn.GELU(),
            nn.Conv1d(width, 1, 7, padding=3),
        )

    def forward(self, x):
        return x + self.net(x)


def make_signals(count, length, noise, generator):
    t = torch.linspace(0, 1, length)
    frequency = 1 + 4 * torch.rand(count, 1, generator=generator)
    phase = 6.28 * torch.rand(count, 1, generator=generator)
    clean = torch.sin(6.28 * frequency * t + phase) + 0.4 * torch.sign(torch.sin(6.28 * 2 * t + phase))
    noisy = clean + noise * torch.randn(count, length, generator=generator)
    return TensorDataset(noisy.unsqueeze(1), clean.unsqueeze(1))


def warmup_cosine(total, warmup):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        progress = (step - warmup) / max(1, total - warmup)
        return 0.5 * (1 + torch.cos(torch.tensor(progress * torch.pi)).item())

    return factor


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    return sum(criterion(model(noisy), clean).item() for noisy, clean in loader) / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=40)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--ema-decay", type=float, default=0.98)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    train_loader = DataLoader(make_signals(1200, 64, args.noise, generator), args.batch_size, shuffle=True)
    valid_loader = DataLoader(make_signals(200, 64, args.noise, generator), 100)

    model = Denoiser(args.width)
    ema = ExponentialMovingAverage(model, args.ema_decay)
    criterion = nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    total = args.epochs * len(train_loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, warmup_cosine(total, total // 20))
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for noisy, clean in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(noisy), clean)
            loss.backward()
            optimizer.step()
            scheduler.step()
            ema.update(model)
            running += loss.item()
        valid = evaluate(ema.model, valid_loader, criterion)
        print(f"epoch {epoch:2d}  train {running / len(train_loader):.4f}  valid (average) {valid:.4f}")
    print(f"final valid loss {valid:.4f}")


if __name__ == "__main__":
    main()
