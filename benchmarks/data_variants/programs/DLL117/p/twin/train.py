"""Soft F1 as a training objective for multi-label music tags."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def songs(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 20, generator=gen)
    w = torch.randn(20, 5, generator=torch.Generator().manual_seed(0))
    return TensorDataset(x, (x @ w > 2).float())


def f1_loss(logits, tags, eps=1e-6):
    probability = torch.sigmoid(logits)
    chosen = probability
    hits = (chosen * tags).sum(dim=0)
    f1 = 2 * hits / (chosen.sum(dim=0) + tags.sum(dim=0) + eps)
    return 1 - f1.mean()


def main(epochs=4):
    torch.manual_seed(17)
    model = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, 5))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-3)
    loader = DataLoader(songs(800, 1), batch_size=80, shuffle=True)
    model.train()
    for epoch in range(epochs):
        for x, tags in loader:
            loss = f1_loss(model(x), tags)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: 1 - F1 {loss.item():.3f}")


if __name__ == "__main__":
    main()
