"""Image-to-scalar regression with Adam whose rate comes from a config object."""
from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Hyper:
    lr: float = 0.003
    betas: tuple[float, float] = (0.9, 0.98)
    epochs: int = 5
    batch: int = 32
    width: int = 16


def squares(n, seed, size=16):
    gen = torch.Generator().manual_seed(seed)
    side = torch.randint(2, size - 2, (n,), generator=gen)
    axis = torch.arange(size)
    inside = (axis[None, :, None] < side[:, None, None]) & (axis[None, None, :] < side[:, None, None])
    image = inside.float() + 0.2 * torch.randn(n, size, size, generator=gen)
    return TensorDataset(image.unsqueeze(1), side.float().unsqueeze(1) / size)


class SideNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.fc1, self.fc2 = nn.Linear(width * 16, 32), nn.Linear(32, 1)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x))
        return self.fc2(torch.relu(self.fc1(x.flatten(1))))


def train(hyper: Hyper):
    torch.manual_seed(20)
    model = SideNet(hyper.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=hyper.lr, betas=hyper.betas, weight_decay=1e-4)
    loader = DataLoader(squares(640, 1), batch_size=hyper.batch, shuffle=True)
    for _ in range(hyper.epochs):
        model.train()
        for image, side in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(image), side).backward()
            optimizer.step()
    return model


def main():
    hyper = replace(Hyper(), width=12)
    model = train(hyper)
    model.eval()
    image, side = squares(200, 2).tensors
    with torch.no_grad():
        print("test mse", round(nn.functional.mse_loss(model(image), side).item(), 4), "variance", round(side.var().item(), 4))


if __name__ == "__main__":
    main()
