import numpy as np
import pandas as pd
import torch
from torch import nn

rng = np.random.default_rng(0)


def read_listings(n=200):
    frame = pd.DataFrame({"area": rng.uniform(30, 150, n), "age": rng.integers(0, 80, n).astype(float)})
    frame["price"] = 3.0 * frame["area"] - 0.5 * frame["age"] + rng.normal(0, 5, n)
    frame.loc[rng.choice(n, 30, replace=False), "age"] = np.nan
    return frame


def to_tensors(frame):
    frame = frame.fillna(frame.median())
    inputs = frame[["area", "age"]]
    inputs = (inputs - inputs.mean()) / inputs.std()
    target = (frame["price"] - frame["price"].mean()) / frame["price"].std()
    return torch.tensor(inputs.values, dtype=torch.float32), torch.tensor(target.values, dtype=torch.float32)


def fit(x, y, epochs=40):
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print("mse %.4f" % fit(*to_tensors(read_listings())))
