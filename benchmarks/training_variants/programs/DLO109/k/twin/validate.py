import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, count, size=24, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.boxes = torch.rand(count, 4, generator=generator)
        self.size = size

    def __len__(self):
        return len(self.boxes)

    def __getitem__(self, i):
        image = torch.zeros(1, self.size, self.size)
        x, y, w, h = (self.boxes[i] * self.size / 2).int().tolist()
        image[:, y:y + h + 1, x:x + w + 1] = 1.0
        return image, self.boxes[i]


class BoxRegressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU()
        )
        self.reg = nn.Linear(16 * 36, 4)

    def forward(self, x):
        return self.reg(self.trunk(x).flatten(1)).sigmoid()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="")
    parser.add_argument("--batch-size", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = BoxRegressor()
    if args.checkpoint:
        model.load_state_dict(torch.load(args.checkpoint, map_location="cpu", weights_only=True))
    model.eval()
    loader = DataLoader(Boxes(64, seed=1), batch_size=args.batch_size)
    criterion = nn.SmoothL1Loss(reduction="sum")
    total, worst = 0.0, 0.0
    with torch.no_grad():
        for image, box in loader:
            prediction = model(image)
            total += criterion(prediction, box).item()
            worst = max(worst, (prediction - box).abs().max().item())
    print(f"val loss {total / len(loader.dataset):.4f}, worst corner {worst:.4f}")


if __name__ == "__main__":
    main()
