"""Loaders that validate by the name under which a caller receives them, in whichever way they are gone over."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

PROGRAM = """
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms as T

change = T.Compose([T.RandomHorizontalFlip(), T.ToTensor()])


def read(part):
    return datasets.CIFAR10("data", train=part, transform=change)


def feeds(size):
    rows, others = read(True), read(True)
    {made}


def judge(net, feed):
    net.eval()
    with torch.no_grad():
        {judged}


{received}
net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    for x, y in {trained}:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    print(judge(net, {name}))
"""
TRAINED = "DataLoader(rows, batch_size=size, shuffle=True)"
MADE = (
    f"return {TRAINED}, DataLoader({{}}, batch_size=size)",
    f"first = {TRAINED}\n    return first, DataLoader({{}})",
    f"return [{TRAINED}, DataLoader({{}}, batch_size=64)]",
)
RECEIVED = {
    "train_feed, {name} = feeds(32)": "train_feed",
    "def both():\n    return feeds(32)\n\n\nfitted, {name} = both()": "fitted",
}
OVER = (
    "return sum(nn.functional.cross_entropy(net(x), y).item() for x, y in feed)",
    "return [int((net(x).argmax(1) == y).sum()) for x, y in feed]",
    "right = 0\n        for x, y in feed:\n            right += (net(x).argmax(1) == y).sum().item()\n        return right",
)
LOOP = OVER[-1]
BY_NAME = {"valid_feed": True, "test_loader": True, "feed_again": False, "train_again": False}


def told(code: str, rows: str, made: str, received: str, name: str, judged: str) -> bool:
    text = PROGRAM.format(
        made=made.format(rows, rows), received=received.format(name=name), trained=RECEIVED[received], name=name, judged=judged
    )
    return code in {told for _, told in reports(text)}


@pytest.mark.parametrize(("made", "received", "judged"), list(zip(MADE, [*RECEIVED, *RECEIVED], OVER, strict=False)))
def test_training_data_under_a_name_of_other_data(made: str, received: str, judged: str) -> None:
    for name, held_out in BY_NAME.items():
        assert told("DLD107", "rows", made, received, name, judged) is held_out
    assert not told("DLD107", "others", made, received, "valid_feed", judged)


@pytest.mark.parametrize(("made", "received"), list(zip(MADE, [*RECEIVED, *RECEIVED], strict=False)))
def test_changed_pictures_under_a_name_of_held_out_data(made: str, received: str) -> None:
    for name, held_out in BY_NAME.items():
        assert told("DLD114", "others", made, received, name, LOOP) is held_out


@pytest.mark.parametrize("judged", ["return net(next(iter(feed))[0])", "return 0"])
def test_a_loader_that_nothing_goes_over(judged: str) -> None:
    assert not told("DLD107", "rows", MADE[0], next(iter(RECEIVED)), "valid_feed", judged)


@pytest.mark.parametrize(
    "received", ["train_feed, *valid_feed = feeds(32)", "valid_feed = feeds(32)\ntrain_feed = valid_feed[0]"]
)
def test_a_name_of_several_loaders_says_nothing(received: str) -> None:
    text = PROGRAM.format(
        made=MADE[0].format("rows", "rows"), received=received, trained="train_feed", name="valid_feed[-1]", judged=LOOP
    )
    assert "DLD107" not in {told for _, told in reports(text)}
