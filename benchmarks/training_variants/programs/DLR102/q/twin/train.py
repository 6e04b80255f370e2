"""Segmentation of synthetic cells; the helper module fixes the seeds for the paper's tables."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from repro import fix_everything


class Cells(Dataset):
    def __init__(self, n, size=48):
        self.n, self.size = n, size

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        gen = torch.Generator().manual_seed(i)
        low = torch.randn(1, 1, 6, 6, generator=gen)
        mask = nn.functional.interpolate(low, size=(self.size, self.size), mode="bilinear", align_corners=False)[0] > 0.4
        return mask.float() + 0.3 * torch.randn(1, self.size, self.size, generator=gen), mask.long()[0]


class Segmenter(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, width, 3, stride=2, padding=1), nn.GELU())
        self.mid = nn.Sequential(nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.GELU())
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.out = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        return self.out(self.up(self.mid(self.down(x))))


def main(epochs=5):
    gen = fix_everything(7)
    device = torch.device("cuda")
    loader = DataLoader(Cells(512), batch_size=32, shuffle=True, num_workers=4, pin_memory=True, generator=gen)
    net = Segmenter().to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
    net.train()
    for epoch in range(epochs):
        total = torch.zeros((), device=device)
        for image, mask in loader:
            image, mask = image.to(device, non_blocking=True), mask.to(device, non_blocking=True)
            loss = nn.functional.cross_entropy(net(image), mask)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(epoch, total.item() / len(loader))


if __name__ == "__main__":
    main()
