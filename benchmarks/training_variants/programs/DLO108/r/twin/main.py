import torch
from torch import nn

from trainer import Trainer


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 6)
    y = (x[:, 0] * x[:, 1] > 0).long()
    batches = list(zip(x.split(20), y.split(20)))
    net = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Dropout(0.3), nn.Linear(48, 2))
    Trainer(net, lr=5e-3).fit(batches[:8], batches[8:], epochs=6)


if __name__ == "__main__":
    main()
