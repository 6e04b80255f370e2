"""pandas + torch: churn model; rows and columns are cleaned before training."""
import argparse

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def raw_table(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "customer": np.arange(n),
            "months": rng.integers(1, 60, n),
            "calls": rng.poisson(2, n),
            "fee": rng.normal(30, 8, n),
        }
    )
    risk = 1.5 - 0.06 * frame["months"] + 0.5 * frame["calls"]
    frame["churn"] = (rng.random(n) < 1 / (1 + np.exp(-risk))).astype("float32")
    return frame


def features_of(frame):
    frame = frame.drop(columns=["customer"])
    columns = [c for c in frame.columns if c != "churn"]
    return frame[columns].to_numpy(dtype="float32"), frame["churn"].to_numpy(), columns


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=900)
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    torch.manual_seed(0)
    table = raw_table(args.rows, seed=0)
    cut = int(0.8 * args.rows)
    x_train, y_train, columns = features_of(table.iloc[:cut])
    x_test, y_test, _ = features_of(table.iloc[cut:])
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train, x_test = (torch.from_numpy((part - mean) / std) for part in (x_train, x_test))
    loader = DataLoader(TensorDataset(x_train, torch.from_numpy(y_train)), batch_size=40, shuffle=True)
    model = nn.Sequential(nn.Linear(len(columns), 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-3)
    for _ in range(args.epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(model(x), y).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = ((model(x_test) > 0).float() == torch.from_numpy(y_test)).float().mean().item()
    print("features", columns, f"accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
