"""Pictures that loaders give to one model, normalised in training and not in evaluation."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

PROGRAM = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, random_split
from torchvision import datasets, transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d({channels}, 8, 3)
        self.fc = nn.Linear(8 * {size} * {size}, 10)

    def forward(self, x):
        return self.fc(F.relu(self.conv(x)).flatten(1))


def evaluate(model, loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for images, labels in loader:
            right += (model(images).argmax(1) == labels).sum().item()
    return right


to_train = transforms.Compose([{train}])
to_test = transforms.Compose([{test}])
train = datasets.{name}(".", train=True, transform=to_train)
test = datasets.{name}(".", train=False, transform=to_test)
train_loader, test_loader = DataLoader(train, batch_size=64, shuffle=True), DataLoader(test, batch_size=64)
net = {model}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    for images, labels in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
    {evaluation}
"""
LOOP = """net.eval()
    with torch.no_grad():
        for images, labels in test_loader:
            print((net(images).argmax(1) == labels).sum())"""
EVALUATIONS = (LOOP, "print(evaluate(net, test_loader))")
TENSOR, FLIPPED = "transforms.ToTensor()", "transforms.RandomHorizontalFlip(), transforms.ToTensor()"
ERASED = "transforms.ToTensor(), transforms.RandomErasing()"
DATA = {
    "MNIST": (1, 26, "transforms.Normalize((0.1307,), (0.3081,))"),
    "CIFAR10": (3, 30, "transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))"),
}


def codes(name: str, train: str, test: str, evaluation: str) -> list[str]:
    channels, size, _ = DATA[name]
    flat = channels * (size + 2) ** 2
    found = []
    for model in ("Net()", f"nn.Sequential(nn.Flatten(), nn.Linear({flat}, 10))"):
        parts = {"name": name, "channels": channels, "size": size, "model": model}
        text = PROGRAM.format(train=train, test=test, evaluation=evaluation, **parts)
        found += [code for _, code in reports(text) if code == "DLD102"]
    return found


@pytest.mark.parametrize(("name", "evaluation"), list(product(DATA, EVALUATIONS)))
def test_normalised_on_one_side(name, evaluation):
    normalize = DATA[name][2]
    assert codes(name, f"{FLIPPED}, {normalize}", TENSOR, evaluation) == ["DLD102"] * 2
    assert codes(name, TENSOR, f"{TENSOR}, {normalize}", evaluation) == ["DLD102"] * 2


@pytest.mark.parametrize(("name", "evaluation"), list(product(DATA, EVALUATIONS)))
def test_both_sides_or_numbers_that_are_not_known(name, evaluation):
    normalize = DATA[name][2]
    assert codes(name, f"{FLIPPED}, {normalize}", f"{TENSOR}, {normalize}", evaluation) == []
    assert codes(name, FLIPPED, TENSOR, evaluation) == []
    assert codes(name, ERASED, TENSOR, evaluation) == []
