import numpy as np
import torch
from torch import nn

from preprocess import clean, synthetic_table


def tensors(frame):
    features = frame.drop(columns=["bought"]).to_numpy(dtype=np.float32)
    return torch.from_numpy(features), torch.from_numpy(frame["bought"].to_numpy(dtype=np.float32))


class Logistic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(width, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x))).squeeze(1)


def main():
    torch.manual_seed(0)
    table = clean(synthetic_table(np.random.default_rng(0)))
    x, y = tensors(table)
    model = Logistic(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.BCEWithLogitsLoss()
    model.train()
    for epoch in range(30):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print("features", x.shape[1], f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
