"""Two stages: short sequences first, then long ones from the first stage's weights."""
from pathlib import Path

import torch
from torch import nn

CKPT_DIR = Path("checkpoints")


class Sorter(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.rnn = nn.GRU(1, width, batch_first=True, bidirectional=True)
        self.rank = nn.Linear(2 * width, 1)

    def forward(self, x):
        h, _ = self.rnn(x.unsqueeze(-1))
        return self.rank(h).squeeze(-1)


def stage(model, length, steps, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        x = torch.rand(32, length)
        goal = x.argsort(1).argsort(1).float() / length
        opt.zero_grad()
        loss = (model(x) - goal).abs().mean()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    CKPT_DIR.mkdir(exist_ok=True)
    model = Sorter()
    print("stage 1: %.4f" % stage(model, 5, 20, 5e-3))
    torch.save(model.state_dict(), CKPT_DIR / "stage1.pth")

    model = Sorter()
    model.load_state_dict(torch.load(CKPT_DIR / "stage1.pth", weights_only=True))
    print("stage 2: %.4f" % stage(model, 12, 20, 1e-3))


main()
