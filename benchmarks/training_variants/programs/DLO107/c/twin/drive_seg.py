import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FCN(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.encode = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Dropout2d(0.3),
        )
        self.decode = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(32, classes, 3, padding=1))

    def forward(self, x):
        return self.decode(self.encode(x))


def train_one_epoch(model, loader, opt):
    model.train()
    for img, seg in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(model(img), seg).backward()
        opt.step()


@torch.no_grad()
def mean_iou(model, loader, classes):
    model.eval()
    inter = torch.zeros(classes)
    union = torch.zeros(classes)
    for img, seg in loader:
        pred = model(img).argmax(dim=1)
        for c in range(classes):
            p, s = pred == c, seg == c
            inter[c] += (p & s).sum()
            union[c] += (p | s).sum()
    return (inter / union.clamp(min=1)).mean().item()


def main():
    torch.manual_seed(21)
    img = torch.rand(40, 3, 16, 16)
    seg = (img.mean(1) > 0.5).long() + (img[:, 0] > 0.9).long()
    train = DataLoader(TensorDataset(img[:32], seg[:32]), batch_size=8, shuffle=True)
    val = DataLoader(TensorDataset(img[32:], seg[32:]), batch_size=2)
    model = FCN(3)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(3):
        train_one_epoch(model, train, opt)
        print(f"[{epoch}] mIoU {mean_iou(model, val, 3):.4f}")


if __name__ == "__main__":
    main()
