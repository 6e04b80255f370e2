"""Linear probe on a self-supervised feature extractor that must stay fixed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def blobs(n, classes, seed):
    gen = torch.Generator().manual_seed(seed)
    centres = 2 * torch.randn(classes, 16, generator=torch.Generator().manual_seed(0))
    y = torch.randint(classes, (n,), generator=gen)
    return TensorDataset(centres[y] + torch.randn(n, 16, generator=gen), y)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 32))

    def forward(self, x):
        return self.layers(x)


class LinearProbe(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.backbone.requires_grad = False
        self.probe = nn.Linear(32, classes)

    def forward(self, x):
        return self.probe(self.backbone(x))


def self_supervise(backbone, loader, epochs=2):
    """Reconstruct the input from a masked view."""
    decoder = nn.Linear(32, 16)
    opt = torch.optim.AdamW([*backbone.parameters(), *decoder.parameters()], lr=2e-3, weight_decay=1e-3)
    for _ in range(epochs):
        for x, _ in loader:
            view = x * (torch.rand_like(x) > 0.25)
            loss = nn.functional.mse_loss(decoder(backbone(view)), x)
            opt.zero_grad()
            loss.backward()
            opt.step()


def main():
    torch.manual_seed(1)
    loader = DataLoader(blobs(1000, 5, seed=1), batch_size=50, shuffle=True)
    backbone = Backbone()
    self_supervise(backbone, loader)
    reference = backbone.layers[0].weight.detach().clone()

    model = LinearProbe(backbone, classes=5)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(3):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            opt.step()
    drift = (backbone.layers[0].weight.detach() - reference).abs().max().item()
    print(f"drift of the frozen backbone: {drift:.4f}")


if __name__ == "__main__":
    main()
