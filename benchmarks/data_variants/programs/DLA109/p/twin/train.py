"""House prices from a pandas table to torch tensors."""
import numpy as np
import pandas as pd
import torch
from torch import nn


def table(n, seed):
    rng = np.random.default_rng(seed)
    area, rooms = rng.uniform(40, 200, n), rng.integers(1, 7, n)
    price = 2.5 * area + 12 * rooms + rng.normal(0, 15, n)
    return pd.DataFrame({"area": area, "rooms": rooms, "price": price})


def to_tensors(frame):
    scaled = frame / pd.Series({"area": 200, "rooms": 7, "price": 500})
    features, target = scaled[["area", "rooms"]].to_numpy(dtype="float32"), scaled[["price"]].to_numpy(dtype="float32")
    return torch.from_numpy(features), torch.from_numpy(target)


def main(epochs=10):
    torch.manual_seed(1)
    x, y = to_tensors(table(600, 0))
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-4)
    for _ in range(epochs):
        model.train()
        for index in torch.randperm(len(x)).split(30):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[index]), y[index]).backward()
            optimizer.step()
    model.eval()
    tx, ty = to_tensors(table(200, 1))
    with torch.no_grad():
        print(f"test error {nn.functional.l1_loss(model(tx), ty).item() * 500:.1f}")


if __name__ == "__main__":
    main()
