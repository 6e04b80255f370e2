"""What a module of ``torch.nn`` has is never taken to be missing: an AttributeError that is not raised would end the run for
the analysis, and what comes after it would be followed for nothing."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from dllint.frameworks import registry
from dllint.ir.values import InstanceVal, LibSymbol
from dllint.lower import library
from tests.rules.harness import findings

torch = pytest.importorskip("torch")

#: Arguments of the constructors that so many times the number 2 do not suit.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "AdaptiveLogSoftmaxWithLoss": (4, 10, [2, 5]), "GroupNorm": (2, 4), "MultiheadAttention": (4, 2), "Transformer": (4, 2),
    "TransformerDecoderLayer": (4, 2), "TransformerEncoderLayer": (4, 2), "Unflatten": (1, (2, 2)),
}  # fmt: skip
MOST_ARGUMENTS = 4
#: A method that may be called without arguments, after which a layer does not fit its input.
PROGRAM = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.{layer}{arguments}
        {called}
        self.last = nn.Linear(4, 3)

    def forward(self):
        return self.last(torch.zeros(2, {width}))
"""
#: Ways to call it.
CALLED = (
    "self.first.{name}()",
    "getattr(self.first, '{name}')()",
    "[m.{name}() for m in [self.first]]",
    "self.apply(lambda m: m.{name}() if hasattr(m, '{name}') else None)",
    "if hasattr(self.first, '{name}'): self.first.{name}()",
)
RESETTING = ("reset_parameters", "reset_running_stats", "flatten_parameters")


def classes() -> Iterator[tuple[str, type]]:
    for name, found in sorted(vars(torch.nn).items()):
        if inspect.isclass(found) and issubclass(found, torch.nn.Module):
            yield name, found


def built(name: str, cls: type) -> tuple[object, tuple[Any, ...]] | None:
    """A module of a class with the arguments that built it; ``None`` if none of the tried ones suit."""
    for arguments in (ARGUMENTS[name],) if name in ARGUMENTS else ((2,) * number for number in range(MOST_ARGUMENTS + 1)):
        try:
            return cls(*arguments), arguments
        except (TypeError, ValueError, AttributeError, AssertionError):
            continue
    return None


@pytest.fixture(scope="module")
def modules() -> list[tuple[str, object, tuple[Any, ...]]]:
    registry.load("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(name, *made) for name, cls in classes() if (made := built(name, cls)) is not None]
    assert len(found) > 100
    return found


def test_no_module_lacks_what_it_has(modules):
    lacking = {
        (name, attribute)
        for name, module, _ in modules
        for attribute in dir(module)
        if library.lacks(InstanceVal(LibSymbol(f"torch.nn.{name}")), attribute)
    }
    assert not lacking


@pytest.mark.parametrize("attribute", ["weight", "in_features", "reset_parameters", "colour"])
def test_an_activation_lacks_what_linear_layers_have(attribute, modules):
    assert library.lacks(InstanceVal(LibSymbol("torch.nn.ReLU")), attribute)


@pytest.mark.parametrize("called", CALLED)
def test_what_follows_a_method_of_a_module_is_checked(called, modules):
    for name, module, arguments in modules:
        method = next((one for one in RESETTING if hasattr(module, one)), None)
        if method is None or name.startswith("Lazy"):
            continue
        text = {width: _program(name, arguments, called.format(name=method), width) for width in (4, 5)}
        assert [errors(text[width]) for width in text] == [[], ["DLT101"]], text[5]


def errors(text: str) -> list[str]:
    return [finding.code for finding in findings(text) if finding.severity.value == "error"]


def _program(layer: str, arguments: tuple[Any, ...], called: str, width: int) -> str:
    written = f"({', '.join(map(repr, arguments))})"
    return PROGRAM.format(layer=layer, arguments=written, called=called, width=width)
