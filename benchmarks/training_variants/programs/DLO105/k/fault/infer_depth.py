import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn


class DepthNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ELU(), nn.Conv2d(width, 2 * width, 3, 2, 1), nn.ELU())
        self.up = nn.Sequential(nn.Upsample(scale_factor=4, mode="bilinear"), nn.Conv2d(2 * width, 1, 3, 1, 1))

    def forward(self, rgb):
        return torch.sigmoid(self.up(self.down(rgb)))


class Predictor:
    def __init__(self, device, min_depth=0.1, max_depth=80.0):
        self.device = device
        self.range = (1 / max_depth, 1 / min_depth)
        self.net = DepthNet().to(device).eval()

    def __call__(self, image):
        tensor = torch.from_numpy(image).permute(2, 0, 1).float().div(255).unsqueeze(0).to(self.device)
        with torch.no_grad:
            disparity = self.net(tensor)
        low, high = self.range
        return (1 / (low + (high - low) * disparity)).squeeze().cpu().numpy()


def load_images(folder):
    if folder is None:
        rng = np.random.default_rng(0)
        for i in range(3):
            yield f"random_{i}", rng.integers(0, 255, (32, 32, 3), dtype=np.uint8)
    else:
        for path in sorted(Path(folder).glob("*.npy")):
            yield path.stem, np.load(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", default=None)
    parser.add_argument("--cpu", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() and not args.cpu else "cpu")
    predictor = Predictor(device)
    for name, image in load_images(args.images):
        depth = predictor(image)
        print(name, depth.shape, round(float(depth.mean()), 3))
