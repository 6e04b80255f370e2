"""Speech-command classifier with a recurrent core; evaluation on the GPU after training."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def commands(n, seed):
    gen = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 6, (n,), generator=gen)
    t = torch.arange(50) / 50
    tone = torch.sin(6.2832 * (y[:, None] + 1) * t)
    return TensorDataset(tone[..., None] + 0.4 * torch.randn(n, 50, 12, generator=gen), y)


class CommandNet(nn.Module):
    def __init__(self, mels=12, hidden=64, classes=6):
        super().__init__()
        self.gru = nn.GRU(mels, hidden, num_layers=2, dropout=0.2, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, mel):
        _, h = self.gru(mel)
        return self.out(h[-1])


def train(model, loader, optimizer, device):
    model.train()
    for mel, label in loader:
        mel, label = mel.to(device, non_blocking=True), label.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(model(mel), label).backward()
        optimizer.step()


@torch.inference_mode()
def accuracy(model, loader, device):
    model.eval()
    hits = torch.zeros((), device=device)
    for mel, label in loader:
        mel, label = mel.to(device, non_blocking=True), label.to(device, non_blocking=True)
        hits += (model(mel).argmax(1) == label).sum()
    return hits.item() / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(1)
    device = torch.device("cuda:0")
    options = {"batch_size": 64, "num_workers": 2, "pin_memory": True}
    train_loader = DataLoader(commands(4000, 1), shuffle=True, **options)
    test_loader = DataLoader(commands(1000, 2), **options)
    model = CommandNet().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    for epoch in range(args.epochs):
        train(model, train_loader, optimizer, device)
        print(f"epoch {epoch}: accuracy {accuracy(model, test_loader, device):.3f}")


if __name__ == "__main__":
    main()
