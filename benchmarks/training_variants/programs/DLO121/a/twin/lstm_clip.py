import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SineLSTM(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.linear(out[:, -1, :])


def make_dataset(length=25):
    t = torch.arange(0, 300) * (2 * math.pi / 25)
    series = torch.sin(t) * 5
    frames = series.unfold(0, length + 1, 1)
    return TensorDataset(frames[:, :-1].unsqueeze(-1), frames[:, -1:])


def train(epochs=4, max_norm=0.5):
    torch.manual_seed(0)
    loader = DataLoader(make_dataset(), batch_size=24, shuffle=True)
    model = SineLSTM()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    criterion = nn.MSELoss()
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    train()
