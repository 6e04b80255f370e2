"""Multi-label tagging: a focal loss with fixed class weights."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TAG_WEIGHTS = [1.0, 2.5, 0.8, 4.0, 1.2, 3.0]


def tagged(n, seed):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(20, len(TAG_WEIGHTS), generator=torch.Generator().manual_seed(0))
    x = torch.randn(n, 20, generator=gen)
    return TensorDataset(x, (x @ w > 1.5).float())


def focal(logits, target, weight, gamma=2.0):
    ce = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    hardness = torch.where(target > 0.5, torch.sigmoid(-logits), torch.sigmoid(logits))
    return (weight * hardness**gamma * ce).mean()


def train(model, loader, args, device):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    for epoch in range(args.epochs):
        model.train()
        total = torch.zeros((), device=device)
        for x, tags in loader:
            x, tags = x.to(device), tags.to(device)
            weight = torch.tensor(TAG_WEIGHTS).to(device)
            loss = focal(model(x), tags, weight)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: focal loss {total.item() / len(loader):.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device(args.device)
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, len(TAG_WEIGHTS))).to(device)
    train(model, DataLoader(tagged(1024, 1), batch_size=64, shuffle=True), args, device)


if __name__ == "__main__":
    main()
