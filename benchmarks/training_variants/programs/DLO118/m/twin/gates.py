import torch
from torch import nn


class GatedCell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(2 * width, width)
        self.new = nn.Linear(2 * width, width)

    def forward(self, x, h):
        both = torch.cat((x, h), -1)
        gate = torch.sigmoid(self.gate(both))
        fresh = torch.tanh(self.new(both))
        kept = gate * h
        gate = 1 - gate
        return kept + gate * fresh


def unroll(cell, xs):
    h = torch.zeros_like(xs[:, 0])
    for x in xs.unbind(1):
        h = cell(x, h)
    return h


def main():
    torch.manual_seed(0)
    cell, readout = GatedCell(4), nn.Linear(4, 1)
    optimizer = torch.optim.Adam([*cell.parameters(), *readout.parameters()], lr=1e-3)
    xs = torch.randn(8, 6, 4)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (readout(unroll(cell, xs)) - xs.mean((1, 2))[:, None]).square().mean()
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
