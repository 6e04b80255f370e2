import argparse
import os

import torch
from torch import nn


class Sequence(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.linear(self.lstm(x)[0])


def save(path, model, optimizer, epoch):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


def restore(path, device):
    model = Sequence()
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    first = 0
    if os.path.exists(path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        first = checkpoint["epoch"] + 1
    return model, optimizer, first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", default="sine.ckpt")
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    waves = torch.sin(torch.linspace(0, 12, 41) + torch.rand(48, 1) * 6).unsqueeze(-1).to(device)
    for attempt in range(2):
        model, optimizer, first = restore(args.path, device)
        for epoch in range(first, first + args.epochs):
            for batch in waves.split(12):
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(batch[:, :-1]), batch[:, 1:])
                loss.backward()
                optimizer.step()
            save(args.path, model, optimizer, epoch)
        print(f"attempt {attempt} epochs {first}-{epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
