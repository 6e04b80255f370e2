import argparse
import math

import torch
from torch import nn


class DnCNN(nn.Module):
    def __init__(self, depth=4, width=12):
        super().__init__()
        layers = [nn.Conv2d(1, width, 3, padding=1), nn.ReLU(inplace=True)]
        for _ in range(depth - 2):
            layers += [nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
        layers += [nn.Dropout2d(0.1), nn.Conv2d(width, 1, 3, padding=1)]
        self.net = nn.Sequential(*layers)

    def forward(self, noisy):
        return noisy - self.net(noisy)


def psnr(a, b):
    return -10 * math.log10(float(((a - b) ** 2).mean()))


@torch.no_grad()
def validate(model, clean, sigma):
    model.eval()
    generator = torch.Generator().manual_seed(5)
    scores = []
    for image in clean:
        noisy = image + sigma * torch.randn(image.shape, generator=generator)
        scores.append(psnr(model(noisy.unsqueeze(0))[0], image))
    model.train()
    return sum(scores) / len(scores)


def main():
    parser = argparse.ArgumentParser(description="DnCNN on synthetic stripes")
    parser.add_argument("--sigma", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=15)
    opt = parser.parse_args()
    torch.manual_seed(0)
    columns = torch.linspace(0, 6.28, 16)
    clean = torch.stack([torch.sin(columns * (k % 5 + 1)).expand(1, 16, 16) for k in range(20)])
    model = DnCNN()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(opt.steps):
        noisy = clean + opt.sigma * torch.randn_like(clean)
        loss = nn.functional.mse_loss(model(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 4:
            print(step, f"{validate(model, clean[:6], opt.sigma):.3f} dB")


if __name__ == "__main__":
    main()
