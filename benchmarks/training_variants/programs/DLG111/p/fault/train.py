"""Resume a run on the GPU: the optimizer's state comes from the checkpoint of an earlier CPU job."""
import argparse
from pathlib import Path

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def batch(size, device):
    x = torch.rand(size, 8, device=device)
    return x, (x.prod(dim=1, keepdim=True) * 50).sin()


def resume(path, device):
    model = Regressor(64)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.99))
    step = 0
    if path.exists():
        state = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
    model.to(device)
    return model, optimizer, step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", type=Path, default=Path("regressor.pt"))
    parser.add_argument("--until", type=int, default=5000)
    args = parser.parse_args()
    torch.manual_seed(4)
    device = torch.device("cuda")
    model, optimizer, start = resume(args.checkpoint, device)
    model.train()
    for step in range(start, args.until):
        x, y = batch(256, device)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % 500 == 499:
            print(step + 1, loss.item())
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": args.until}, args.checkpoint)


if __name__ == "__main__":
    main()
