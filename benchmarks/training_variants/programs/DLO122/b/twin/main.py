import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from fit import fit
from precision import Precision


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    labels = torch.arange(400) % 5
    images = torch.rand(400, 1, 8, 8) + labels.view(-1, 1, 1, 1) * 0.5
    loader = DataLoader(TensorDataset(images, labels), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 5)).to(args.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    fit(model, loader, optimizer, Precision(args.device, not args.full), epochs=3)


if __name__ == "__main__":
    main()
