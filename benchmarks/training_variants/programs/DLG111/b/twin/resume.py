"""Train, save, and go on from the checkpoint on another device."""

import argparse

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x)


class Session:
    def __init__(self, args):
        self.args = args
        self.model = MLP()
        self.model.to(args.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def resume(self, path):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}, path)

    def train(self, device, steps):
        self.model.train()
        for _ in range(steps):
            x = torch.randn(32, 8, device=device)
            loss = (self.model(x) - x.sum(dim=1, keepdim=True)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--checkpoint", default="session.pt")
    args = parser.parse_args()
    torch.manual_seed(0)
    first = Session(args)
    print("first", round(first.train(args.device, 50), 4))
    first.save(args.checkpoint)
    second = Session(args)
    second.resume(args.checkpoint)
    print("second", round(second.train(args.device, 50), 4))
