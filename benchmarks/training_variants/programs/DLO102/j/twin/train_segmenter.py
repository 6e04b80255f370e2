import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DoubleConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        )

    def forward(self, x):
        return self.body(x)


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.encoder = DoubleConv(3, 8)
        self.bottom = DoubleConv(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.decoder = DoubleConv(16, 8)
        self.head = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        e = self.encoder(x)
        b = self.bottom(F.max_pool2d(e, 2))
        return self.head(self.decoder(torch.cat([self.up(b), e], dim=1)))


class Experiment:
    def __init__(self, args):
        torch.manual_seed(args.seed)
        self.net = Segmenter(args.classes)
        encoder = list(self.net.encoder.parameters()) + list(self.net.bottom.parameters())
        known = {id(p) for p in encoder}
        rest = [p for p in self.net.parameters() if id(p) not in known]
        self.optimizers = [torch.optim.Adam(encoder, lr=args.lr / 10), torch.optim.Adam(rest, lr=args.lr)]

    def reset_gradients(self):
        for opt in self.optimizers:
            opt.zero_grad()

    def fit(self, loader, epochs):
        self.net.train()
        for epoch in range(epochs):
            running = 0.0
            for image, mask in loader:
                self.reset_gradients()
                loss = F.cross_entropy(self.net(image), mask)
                loss.backward()
                for opt in self.optimizers:
                    opt.step()
                running += loss.item()
            print(f"epoch {epoch}: {running / len(loader):.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--classes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    experiment = Experiment(args)
    images = torch.rand(16, 3, 16, 16)
    masks = (images.mean(dim=1) > 0.5).long()
    experiment.fit(DataLoader(TensorDataset(images, masks), batch_size=4, shuffle=True), args.epochs)
