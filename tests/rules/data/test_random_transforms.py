"""Pictures that torch models are evaluated with: by which transforms, in which loop, by which name."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

PROGRAM = """
import torch
from torch import nn
from torchvision import datasets as data, transforms as T


def evaluate(net, loader):
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (net(x).argmax(1) == y).sum().item()
    return right


to_train = T.Compose([T.RandomHorizontalFlip(), T.ToTensor()])
to_judge = {judged}
trained = data.CIFAR10("data", train=True, transform=to_train)
judged = {dataset}
train_loader = torch.utils.data.DataLoader(trained, batch_size=64, shuffle=True)
{name} = torch.utils.data.DataLoader(judged, batch_size=64)
net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    print({use})
"""
TRANSFORMS = {
    "T.Compose([T.RandomHorizontalFlip(), T.ToTensor()])": True,
    "T.Compose([T.ToTensor(), T.RandomErasing(0.3)])": True,
    "T.Compose([T.ColorJitter(0.2), T.ToTensor()])": True,
    "to_train": True,
    "T.Compose([T.RandomHorizontalFlip(p=0), T.ToTensor()])": False,
    "T.Compose([T.CenterCrop(28), T.ToTensor()])": False,
    "T.ToTensor()": False,
    "T.Compose([T.RandomCrop(32, padding=4), T.ToTensor()])": True,
}
STILL = (
    "T.RandomRotation(0)", "T.RandomCrop(32)", "T.RandomGrayscale(p=1.0)", "T.RandomInvert(p=1)", "T.ColorJitter()",
    "T.RandomChoice([T.Resize(32)])", "T.RandomOrder([T.Resize(32)])", "T.RandomAffine(0)",
)  # fmt: skip
NAMES = {"test_loader": True, "valloader": True, "validation_dl": True, "tta_loader": False}
DATASET = "data.CIFAR10('data', train=False, transform=to_judge)"


def told(judged: str, name: str, dataset: str = DATASET, use: str = "evaluate(net, {name})") -> bool:
    text = PROGRAM.format(judged=judged, name=name, dataset=dataset, use=use.format(name=name))
    return "DLD114" in {code for _, code in reports(text)}


@pytest.mark.parametrize(("judged", "name"), list(product(TRANSFORMS, NAMES))[::2])
def test_transforms_of_what_is_evaluated(judged, name):
    assert told(judged, name) == (TRANSFORMS[judged] and NAMES[name])


@pytest.mark.parametrize(("part", "found"), [("train=False", True), ("train=True", False), ("train=part", False)])
def test_names_that_say_nothing(part, found):
    assert told("to_train", "other", dataset=f"data.CIFAR10('data', {part}, transform=to_judge)") == found


def test_the_data_set_that_is_trained_on_is_another_matter():
    assert not told("to_train", "test_loader", dataset="trained")


def test_a_loader_that_no_loop_goes_over():
    assert not told("to_train", "test_loader", use="len({name})")


def test_transforms_that_draw_nothing():
    assert not told(f"T.Compose([{', '.join(STILL)}, T.ToTensor()])", "test_loader")


def test_a_row_that_is_changed_later():
    row = "T.Compose([T.RandomHorizontalFlip(), T.ToTensor()])\nto_judge.transforms.pop(0)"
    assert not told(row, "test_loader")


LOOPS = {
    "for view in range(10):\n    evaluate(net, test_loader)": False,
    "for x, y in test_loader:\n    print(x.mean())": False,
    "evaluate(net, test_loader)": True,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_that_apply_no_model_or_are_repeated(loop):
    text = PROGRAM.format(judged="to_train", name="test_loader", dataset=DATASET, use="epoch")
    assert ("DLD114" in {code for _, code in reports(f"{text}\n{loop}\n")}) == LOOPS[loop]


LOOP = PROGRAM[PROGRAM.index("    right = 0") : PROGRAM.index("\n\n\nto_train")]
EXPRESSIONS = (
    "with torch.no_grad():\n        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)",
    "right = [net(x).argmax(1).eq(y).float().mean() for x, y in loader]\n    return torch.stack(right)",
    "right = {{i: (net(x).argmax(1) == y).sum() for i, (x, y) in enumerate(loader)}}\n    return sum(right.values())",
)


@pytest.mark.parametrize("judged", ["to_train", "T.ToTensor()"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_comprehensions_that_evaluate(expression, judged):
    text = PROGRAM.replace(LOOP, f"    {expression}").format(
        judged=judged, name="valid", dataset=DATASET, use="evaluate(net, valid)"
    )
    assert ("DLD114" in {code for _, code in reports(text)}) == TRANSFORMS[judged]
