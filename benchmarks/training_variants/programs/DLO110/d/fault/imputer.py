"""Autoencoder that fills in missing table cells."""
import torch
from torch import nn


class Imputer(nn.Module):
    def __init__(self, columns, code):
        super().__init__()
        self.enc = nn.Linear(2 * columns, code)
        self.dec = nn.Linear(code, columns)

    def forward(self, x, seen):
        return self.dec(torch.tanh(self.enc(torch.cat([x * seen, seen], dim=1))))


def masked_mse(pred, x, mask):
    return ((pred - x) ** 2 * mask).sum() / mask.sum().clamp(min=1)


def fit(model, table, epochs=6, batch_size=32, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    history = {"loss": [], "epoch": []}
    for epoch in range(epochs):
        epoch_loss = 0
        for rows in torch.split(table[torch.randperm(len(table))], batch_size):
            seen = (torch.rand_like(rows) > 0.2).float()
            loss = masked_mse(model(rows, seen), rows, 1 - seen)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss * len(rows)
        history["loss"].append(float(epoch_loss / len(table)))
        history["epoch"].append(epoch)
    return history


if __name__ == "__main__":
    torch.manual_seed(8)
    factors = torch.randn(200, 3)
    table = factors @ torch.randn(3, 10)
    for e, value in zip(*[fit(Imputer(10, 6), table)[k] for k in ("epoch", "loss")]):
        print(f"{e}: {value:.3f}")
