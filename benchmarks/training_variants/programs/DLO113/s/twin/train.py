"""Continual learning: a head is added for each task."""
import torch
from torch import nn


class MultiHead(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.ReLU())
        self.width = width
        self.heads = nn.ModuleDict()

    def add_task(self, name, classes):
        self.heads[name] = nn.Linear(self.width, classes)

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 6)
    model = MultiHead(6, 32)
    tasks = {"sign": (x[:, 0] > 0).long(), "largest": x[:, :3].argmax(1)}
    for name, labels in tasks.items():
        model.add_task(name, int(labels.max()) + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(5):
        for name, labels in tasks.items():
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x, name), labels)
            loss.backward()
            optimizer.step()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
