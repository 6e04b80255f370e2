"""Architectures of torchvision whose head is replaced, is one of several, is taken away, or is not known."""

from __future__ import annotations

import itertools
import textwrap
from typing import Any

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.frameworks.torch.programs import HEADER, analysed, lowered, plain
from tests.frameworks.torch.real_torchvision import real_torchvision
from tests.sampling import thinned

WIDTHS = {
    "resnet18": 512, "resnet50": 2048, "vgg11": 25088, "densenet121": 1024, "mobilenet_v2": 1280,
    "mobilenet_v3_small": 576, "efficientnet_b0": 1280, "mnasnet0_5": 1280,
}  # fmt: skip

#: What is done to the attribute ``HEAD`` of a network whose features have WIDTH numbers → how many numbers an image is turned
#: into, by what ``flag`` is.
HEADS: dict[str, tuple[int | str, int | str]] = {
    "net.HEAD = nn.Linear(WIDTH, 10)": (10, 10),
    "setattr(net, 'HEAD', nn.Sequential(nn.Dropout(0.5), nn.Linear(WIDTH, 7)))": (7, 7),
    "net.HEAD = nn.Identity()": ("WIDTH", "WIDTH"),
    "net.HEAD = nn.Linear(WIDTH, 10) if flag else nn.Identity()": (10, "WIDTH"),
    "net.HEAD = nn.Linear(WIDTH, 10) if flag else nn.Linear(WIDTH, 7)": (10, 7),
    "if flag:\n    net.HEAD = nn.Linear(WIDTH, 10)\nelse:\n    net.HEAD = nn.Sequential(nn.Linear(WIDTH, 10), nn.ReLU())": (
        10,
        10,
    ),
    "if flag:\n    net.HEAD = nn.Linear(WIDTH, 7)": (7, 1000),
    "net = net if flag else models.NAME()\nnet.HEAD = nn.Linear(WIDTH, 10)": (10, 10),
}
#: Heads of which nothing is known.
UNKNOWN = ("del net.HEAD", "net.HEAD = made_elsewhere(WIDTH)", "net.HEAD = heads[flag]", "delattr(net, 'HEAD')")
PROGRAM = """
from torchvision import models
net = models.{name}()
{change}
y = net(torch.randn(2, 3, 224, 224))
"""
CALLED = """
last = nn.Linear({width}, 3)
z = last(y)
"""
#: The network without its head.
CUT = """
z = nn.Sequential(*list(net.children())[:-1], nn.Flatten())(torch.randn(2, 3, 224, 224))
"""


def program(name: str, change: str) -> str:
    """A network of that name, its head changed, and called with two images."""
    head = "fc" if name.startswith("resnet") else "classifier"
    filled = change.replace("HEAD", head).replace("WIDTH", str(WIDTHS[name])).replace("NAME", name)
    return PROGRAM.format(name=name, change=filled)


def faults(text: str) -> list[str]:
    """The kinds of the faults of a program, and that nothing has failed."""
    found = lowered(text)
    assert found.failures == []
    return [fault.kind for traced in found.programs for op in traced.ops for fault in op.faults]


def results(name: str, change: str) -> set[int]:
    """How many numbers an image may be turned into."""
    return {size if isinstance(size, int) else WIDTHS[name] for size in HEADS[change]}


@pytest.mark.parametrize("name", WIDTHS)
def test_what_follows_a_changed_head_gets_what_it_may_give(name: str) -> None:
    for change in thinned(HEADS, 2, len(name)):
        expected = results(name, change)
        text = program(name, change)
        shape = plain(analysed(text)["y"])[0]
        assert (shape[0], len(shape)) == (2, 2), change
        assert not isinstance(shape[1], int) or expected == {shape[1]}, change
        for width in expected:
            assert faults(text + CALLED.format(width=width)) == [], (change, width)


@pytest.mark.parametrize("name", WIDTHS)
def test_one_head_gives_its_size_and_a_wrong_successor_is_found(name: str) -> None:
    for change in itertools.islice(HEADS, 3):
        text = program(name, change)
        (size,) = results(name, change)
        assert plain(analysed(text)["y"]) == ((2, size), "float32")
        assert faults(text + CALLED.format(width=size + 1)) == ["feature-size"], change


@pytest.mark.parametrize("name", WIDTHS)
def test_of_a_head_that_is_not_known_nothing_is_known(name: str) -> None:
    for change in UNKNOWN:
        text = program(name, change)
        assert isinstance(analysed(text)["y"], Unknown), change
        assert faults(text + CALLED.format(width=3)) == [], change


def sizes(tensor: TensorVal) -> tuple[Any, ...]:
    """A shape with ``?`` for each size that is not a number."""
    return tuple(size if isinstance(size, int) else "?" for size in plain(tensor)[0])


@pytest.mark.parametrize("name", WIDTHS)
def test_a_body_that_pools_gives_one_number_for_each_channel(name: str) -> None:
    pools = not name.startswith(("densenet", "mobilenet_v2", "mnasnet"))
    assert sizes(analysed(program(name, "pass") + CUT)["z"]) == (2, WIDTHS[name] if pools else "?")


def real(text: str, flag: bool) -> dict[str, Any]:
    """What torchvision itself does, on a device that has shapes only."""
    import torch

    names: dict[str, Any] = {"flag": flag}
    with torch.device("meta"), torch.no_grad():
        exec(HEADER + textwrap.dedent(text), names)
    return names


@pytest.mark.oracle
@pytest.mark.parametrize("name", WIDTHS)
def test_heads_as_torchvision(name: str) -> None:
    real_torchvision()
    for change in thinned(HEADS, 2, len(name)):
        for flag in (True, False) if "flag" in change else (True,):
            assert real(program(name, change), flag)["y"].shape[1] in results(name, change), (change, flag)
    text = program(name, "children = tuple(name for name, _ in net.named_children())") + CUT
    names, found = real(text, True), analysed(text)
    assert found["children"] == names["children"]
    assert all(size in (known, "?") for size, known in zip(sizes(found["z"]), names["z"].shape, strict=True))
