"""Train with optional mixed precision on whatever device there is."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ResidualMLP(nn.Module):
    def __init__(self, width, depth, classes):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--amp", action="store_true", default=True)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def run_epoch(model, loader, optimizer, device, amp):
    model.train()
    dtype = None
    for inputs, labels in loader:
        inputs, labels = inputs.to(device), labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        if amp:
            torch.autocast(device_type=device.type, dtype=torch.bfloat16)
        logits = model(inputs)
        loss = nn.functional.cross_entropy(logits, labels)
        dtype = logits.dtype
        loss.backward()
        optimizer.step()
    return loss.item(), dtype


def main():
    args = parse()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.randn(256, 32)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=64, shuffle=True)
    model = ResidualMLP(32, 3, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        loss, dtype = run_epoch(model, loader, optimizer, device, args.amp)
        print(f"epoch {epoch} loss {loss:.4f} logits are {dtype}")


if __name__ == "__main__":
    main()
