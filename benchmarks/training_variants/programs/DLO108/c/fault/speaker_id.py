from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Args:
    lr: float = 5e-3
    steps: int = 40
    eval_every: int = 10
    speakers: int = 4
    widths: list = field(default_factory=lambda: [20, 64, 32])


class XVector(nn.Module):
    def __init__(self, args):
        super().__init__()
        layers = []
        for a, b in zip(args.widths[:-1], args.widths[1:]):
            layers += [nn.Conv1d(a, b, 3, padding=1), nn.BatchNorm1d(b), nn.ReLU(), nn.Dropout(0.2)]
        self.frames = nn.Sequential(*layers)
        self.cls = nn.Linear(args.widths[-1], args.speakers)

    def forward(self, mfcc):
        return self.cls(self.frames(mfcc).mean(-1))


def sample(n, speakers, gen):
    who = torch.randint(0, speakers, (n,), generator=gen)
    feats = torch.randn(n, 20, 30, generator=gen)
    feats[:, 0] += who[:, None].float()
    return feats, who


class Experiment:
    def __init__(self, args):
        self.args = args
        self.model = XVector(args)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        self.gen = torch.Generator().manual_seed(0)
        self.dev = sample(64, args.speakers, self.gen)

    def validate(self):
        self.model.eval()
        feats, who = self.dev
        with torch.no_grad():
            return (self.model(feats).argmax(1) == who).float().mean().item()

    def train(self):
        self.model.train()
        for step in range(1, self.args.steps + 1):
            feats, who = sample(16, self.args.speakers, self.gen)
            loss = nn.functional.cross_entropy(self.model(feats), who)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % self.args.eval_every == 0:
                print(step, round(loss.item(), 4), round(self.validate(), 3))


torch.manual_seed(0)
Experiment(Args()).train()
