"""Polynomial decay per epoch for a next-item recommender."""
import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def sessions(n, items, length, seed):
    gen = torch.Generator().manual_seed(seed)
    start = torch.randint(items, (n, 1), generator=gen)
    step = torch.randint(1, 4, (n, 1), generator=gen)
    track = (start + step * torch.arange(length + 1)) % items
    return TensorDataset(track[:, :-1], track[:, -1])


class NextItem(nn.Module):
    def __init__(self, items, dim):
        super().__init__()
        self.embed = nn.Embedding(items, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, track):
        _, state = self.gru(self.embed(track))
        return state[-1] @ self.embed.weight.t()


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for track, target in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(track), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-2)
    args = parser.parse_args()
    torch.manual_seed(28)
    model = NextItem(items=40, dim=32)
    optimizer = optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))
    decay = optim.lr_scheduler.PolynomialLR(optimizer, total_iters=args.epochs, power=1.0)
    loader = DataLoader(sessions(800, 40, 8, 1), batch_size=40, shuffle=True)
    used = []
    for _ in range(args.epochs):
        decay.step()
        used.append(optimizer.param_groups[0]["lr"])
        loss = train_epoch(model, loader, optimizer)
    print("rates used", [round(r, 5) for r in used], f"final loss {loss:.3f}")


if __name__ == "__main__":
    main()
