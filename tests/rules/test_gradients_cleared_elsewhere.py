"""DLO101 stays silent where gradients are cleared by the optimizer before, or by a model of a library that is not known."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

RENEWED = """
import torch

image = torch.rand(1, 3, 8, 8).requires_grad_()
optimizer = torch.optim.{first}([image], lr=3.0)
for number in range(200):
    {cleared}
    loss = (image**2).sum()
    loss.backward()
    if number == 180:
        optimizer = {second}
    optimizer.step()
"""
SECOND = ("torch.optim.Adam([image], lr=0.1)", "torch.optim.SGD([image], lr=0.1)", "renewed([image])")
LIBRARY = """
import torch
from torch import nn
from scgpt.model import TransformerModel

model = TransformerModel(4)
model.to("cuda")
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler()


def train(net{annotation}, loader):
    net.train()
    for batch in loader:
        labels = batch["labels"].to("cuda")
        {before}
        loss = criterion(net(batch["x"], labels=labels)["logits"], labels)
        {cleared}
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


train(model, loader=object())
"""


def told(source: str) -> bool:
    return any(found.code == "DLO101" for found in findings(source))


@pytest.mark.parametrize(("first", "second"), list(itertools.product(("Adam", "SGD"), SECOND)))
def test_an_optimizer_that_is_built_anew(first: str, second: str) -> None:
    head = "def renewed(parameters):\n    return torch.optim.Adam(parameters, lr=0.1)\n"
    assert not told(head + RENEWED.format(first=first, second=second, cleared="optimizer.zero_grad()"))


def test_an_optimizer_that_is_built_anew_and_never_cleared() -> None:
    assert told(RENEWED.format(first="Adam", second=SECOND[0], cleared="pass"))


@pytest.mark.parametrize("annotation", ["", ": nn.Module"])
def test_a_model_of_an_unknown_library_clears(annotation: str) -> None:
    clears, nothing = "net.zero_grad()", "pass"
    assert not told(LIBRARY.format(annotation=annotation, before=nothing, cleared=clears))
    assert not told(LIBRARY.format(annotation=annotation, before=clears, cleared=nothing))
    assert told(LIBRARY.format(annotation=annotation, before=nothing, cleared=nothing))
