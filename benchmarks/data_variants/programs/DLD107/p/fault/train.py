"""Early stopping on a validation loader for a small spectra classifier."""
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def spectra(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    x = torch.randn(n, 60, generator=gen)
    x[torch.arange(n), 10 + 15 * y] += 1.5
    return TensorDataset(x, y)


def loaders(batch):
    gen = torch.Generator().manual_seed(0)
    train, valid = random_split(spectra(400, gen), [300, 100], generator=gen)
    return DataLoader(train, batch_size=batch, shuffle=True), DataLoader(train, batch_size=100)


def validation_loss(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(nn.functional.cross_entropy(model(x), y, reduction="sum").item() for x, y in loader) / len(loader.dataset)


def main(patience=3, limit=40):
    torch.manual_seed(1)
    train_loader, valid_loader = loaders(25)
    model = nn.Sequential(nn.Linear(60, 64), nn.ReLU(), nn.Linear(64, 3))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    best, state, waited = float("inf"), None, 0
    for epoch in range(limit):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        loss = validation_loss(model, valid_loader)
        if loss < best:
            best, state, waited = loss, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
        if waited > patience:
            break
    model.load_state_dict(state)
    print(f"stopped after {epoch + 1} of {limit} epochs, validation loss {best:.4f}")


if __name__ == "__main__":
    main()
