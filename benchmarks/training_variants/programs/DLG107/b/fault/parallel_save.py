import argparse

import torch
from torch import nn

from io_utils import load_weights, save_weights


def make_network(width):
    return nn.Sequential(nn.Linear(5, width), nn.ELU(), nn.Linear(width, 1))


class Trainer:
    def __init__(self, network, parallel):
        self.network = nn.DataParallel(network) if parallel else network
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-2)

    def run(self, steps):
        self.network.train()
        for _ in range(steps):
            x = torch.randn(64, 5)
            loss = (self.network(x) - x.prod(dim=1, keepdim=True)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def finish(self, path):
        save_weights(self.network, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--single", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    trainer = Trainer(make_network(args.width), parallel=not args.single)
    print(f"loss {trainer.run(100):.4f}")
    trainer.finish("network.pt")
    restored = load_weights(make_network(args.width), "network.pt")
    restored.eval()
    with torch.no_grad():
        print("restored", round(restored(torch.ones(1, 5)).item(), 2) is not None)
