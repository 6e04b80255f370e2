import argparse

import torch
from torch import nn
from torch.nn import functional as F


class Upscaler(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 4, 3, padding=1), nn.PixelShuffle(2)
        )

    def forward(self, x):
        return self.net(x)


def edge_filter():
    sobel = torch.tensor([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])
    return torch.stack([sobel, sobel.t()]).unsqueeze(1)


def edge_loss(a, b, kernel):
    return F.l1_loss(F.conv2d(a, kernel), F.conv2d(b, kernel))


def train(model, loader, device, epochs, weight):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    kernel = edge_filter().to(device)
    for epoch in range(epochs):
        for low, high in loader:
            low, high = low.to(device), high.to(device)
            output = model(low)
            loss = F.mse_loss(output, high) + weight * edge_loss(output, high, kernel)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.5f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--edge-weight", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    high = torch.rand(40, 1, 16, 16)
    low = F.avg_pool2d(high, 2)
    train(Upscaler().to(device), list(zip(low.split(8), high.split(8))), device, epochs=3, weight=args.edge_weight)


if __name__ == "__main__":
    main()
