import tempfile
from pathlib import Path

import torch
from torch import nn


class Base(nn.Module):
    @staticmethod
    def draw(module):
        if isinstance(module, nn.Linear):
            nn.init.trunc_normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)

    def prepare(self, checkpoint=None):
        if checkpoint is None:
            self.apply(self.draw)
        else:
            self.load_state_dict(torch.load(checkpoint, weights_only=True))
        return self


class Classifier(Base):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.body(x)


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "classifier.pt"
        first = Classifier().prepare()
        torch.save(first.state_dict(), path)
        second = Classifier().prepare(path)
    print("kept:", torch.equal(first.body[0].weight, second.body[0].weight))


if __name__ == "__main__":
    main()
