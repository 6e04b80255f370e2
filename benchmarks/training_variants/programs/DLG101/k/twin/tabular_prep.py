import numpy as np
import pandas as pd
import torch
from torch import nn

TARGET = "price"


def read_frame(seed=0, n=120):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "rooms": rng.integers(1, 7, n),
            "area": rng.normal(80, 20, n).round(0),
            "region": rng.choice(list("NSEW"), n),
        }
    )
    frame[TARGET] = 2.0 * frame["area"] + 15 * frame["rooms"] + rng.normal(0, 5, n)
    return pd.concat([frame, frame.iloc[:40]], ignore_index=True)


class Preprocessor:
    def __init__(self, frame):
        frame = frame.drop_duplicates()
        self.frame = pd.get_dummies(frame, columns=["region"], dtype=float)
        self.features = [c for c in self.frame.columns if c != TARGET]

    def tensors(self):
        x = self.frame[self.features].to_numpy(dtype="float32")
        x = (x - x.mean(0)) / x.std(0)
        return torch.from_numpy(x), torch.tensor(self.frame[TARGET].to_numpy(), dtype=torch.float32)


def train(x, y, epochs):
    model = nn.Sequential(nn.Linear(x.size(1), 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    y = (y - y.mean()) / y.std()
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = Preprocessor(read_frame()).tensors()
    print("rows", len(x), "loss", round(train(x, y, epochs=40), 4))
