import argparse

import torch
from torch import nn
from torch.optim import lr_scheduler


def make_scheduler(name, optimizer):
    if name == "plateau":
        return lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=2)
    raise ValueError(f"unknown scheduler {name}")


class AutoEncoder(nn.Module):
    def __init__(self, width, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, 24), nn.ELU(), nn.Linear(24, code))
        self.decoder = nn.Sequential(nn.Linear(code, 24), nn.ELU(), nn.Linear(24, width))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Runner:
    def __init__(self, args):
        self.args = args
        self.net = AutoEncoder(16, args.code)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=args.lr)
        self.sched = make_scheduler(args.scheduler, self.opt)
        mixing = torch.randn(3, 16)
        self.train_data = torch.randn(512, 3) @ mixing
        self.val_data = torch.randn(128, 3) @ mixing

    def train_epoch(self):
        self.net.train()
        for batch in self.train_data.split(64):
            self.opt.zero_grad()
            loss = nn.functional.mse_loss(self.net(batch), batch)
            loss.backward()
            self.opt.step()

    def validate(self):
        self.net.eval()
        with torch.no_grad():
            return nn.functional.mse_loss(self.net(self.val_data), self.val_data).item()

    def run(self):
        for epoch in range(self.args.epochs):
            self.train_epoch()
            val_loss = self.validate()
            self.sched.step(val_loss)
            print(f"{epoch}: val {val_loss:.4f} lr {self.opt.param_groups[0]['lr']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--code", type=int, default=3)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--scheduler", default="plateau")
    torch.manual_seed(0)
    Runner(parser.parse_args()).run()
