"""Torchvision transforms for training and validation share one recipe."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

MEAN, STD = (0.5, 0.5, 0.5), (0.25, 0.25, 0.25)


def recipe(augment):
    steps = [transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    if augment:
        steps = [transforms.RandomHorizontalFlip(), transforms.RandomCrop(32, padding=4), transforms.ColorJitter(0.3, 0.3)] + steps
    return transforms.Compose(steps)


def get_loaders(batch):
    train = datasets.FakeData(200, (3, 32, 32), 4, transform=recipe(augment=True), random_offset=0)
    valid = datasets.FakeData(60, (3, 32, 32), 4, transform=recipe(augment=False), random_offset=1000)
    return DataLoader(train, batch_size=batch, shuffle=True), DataLoader(valid, batch_size=batch)


def network():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4),
    )


@torch.no_grad()
def validate(model, loader):
    model.eval()
    return sum(nn.functional.cross_entropy(model(x), y, reduction="sum").item() for x, y in loader) / len(loader.dataset)


def main(epochs=2):
    torch.manual_seed(0)
    train, valid = get_loaders(20)
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-3)
    for _ in range(epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    print("two validations of one model", [round(validate(model, valid), 5) for _ in range(2)])


if __name__ == "__main__":
    main()
