import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Cells(Dataset):
    def __init__(self, n):
        self.image = torch.rand(n, 1, 16, 16)
        self.kind = torch.randint(0, 3, (n,))
        self.count = self.image.sum((1, 2, 3)) / 100

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        return {"image": self.image[i], "kind": self.kind[i], "count": self.count[i]}


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten())
        self.kind, self.count = nn.Linear(72, 3), nn.Linear(72, 1)

    def forward(self, x):
        h = self.body(x)
        return self.kind(h), self.count(h).squeeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--weight", type=float, default=0.5)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device(f"cuda:{args.gpu}")
    model = TwoHeads().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(2):
        for batch in DataLoader(Cells(96), batch_size=16, shuffle=True):
            image, kind = batch["image"].to(device), batch["kind"].to(device)
            count = batch["count"].to(device)
            logits, estimate = model(image)
            loss = nn.functional.cross_entropy(logits, kind)
            loss = loss + args.weight * nn.functional.mse_loss(estimate, count)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
