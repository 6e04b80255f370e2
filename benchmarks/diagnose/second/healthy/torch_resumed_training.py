"""Train a classifier of gas sensors in two sittings: save everything after the first one and go on from there."""

import argparse
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GASES = 6


def readings(count, generator):
    """Sixteen sensors answer to six gases, each with an own saturation."""
    answer = torch.randn(GASES, 16, generator=torch.Generator().manual_seed(5))
    gas = torch.randint(GASES, (count,), generator=generator)
    strength = 0.5 + torch.rand(count, 1, generator=generator)
    signal = torch.tanh(strength * answer[gas]) + 0.9 * torch.randn(count, 16, generator=generator)
    return TensorDataset(signal, gas)


class Run:
    """A model with all that is needed to go on with its training."""

    def __init__(self, options, batches):
        self.model = nn.Sequential(
            nn.Linear(16, options.width),
            nn.LayerNorm(options.width),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(options.width, GASES),
        )
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=options.lr, momentum=0.9, nesterov=True)
        warmup = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.1, total_iters=batches)
        decay = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, (options.epochs - 1) * batches)
        self.schedule = torch.optim.lr_scheduler.SequentialLR(self.optimizer, [warmup, decay], milestones=[batches])
        self.epoch = 0

    def save(self, path):
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "epoch": self.epoch,
        }
        torch.save(state, path)

    def load(self, path):
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        self.epoch = state["epoch"]

    def train(self, loader, until):
        while self.epoch < until:
            self.model.train()
            total = 0.0
            for signal, gas in loader:
                loss = F.cross_entropy(self.model(signal), gas)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.schedule.step()
                total += loss.item()
            self.epoch += 1
            rate = self.optimizer.param_groups[0]["lr"]
            print(f"epoch {self.epoch}: loss {total / len(loader):.4f}, next rate {rate:.4f}")

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        hits = torch.cat([self.model(signal).argmax(1) == gas for signal, gas in loader])
        return hits.float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--break-after", type=int, default=4)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    train = DataLoader(readings(2400, generator), 48, shuffle=True)
    valid = DataLoader(readings(800, generator), 400)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.pt")
        first = Run(args, len(train))
        first.train(train, args.break_after)
        first.save(path)
        print(f"break: valid accuracy {first.accuracy(valid):.3f}")
        second = Run(args, len(train))
        second.load(path)
        print(f"resumed at epoch {second.epoch}: valid accuracy {second.accuracy(valid):.3f}")
    second.train(train, args.epochs)
    print(f"final valid accuracy {second.accuracy(valid):.3f}")


if __name__ == "__main__":
    main()
