"""A float in the place of a whole number is a fault exactly where the libraries raise for it: in every layer of the samples,
each whole number in turn is written as a float."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dllint.domains.lattice import UnknownFloat
from dllint.ops.constraints import constraints
from dllint.ops.layers import LAYERS, layer
from tests.ops import keras_layers, torch_layers
from tests.ops.layer_calls import configuration, parse
from tests.ops.test_keras_layers import real_result as in_keras
from tests.ops.test_torch_layers import real_result as in_torch
from tests.rules.harness import reports

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
Real = Callable[[str, tuple[Any, ...]], Any]


def with_floats(sample: str) -> Iterator[str]:
    """The sample with one of its whole numbers as a float, for each of them."""
    tree = ast.parse(sample, mode="eval")
    numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    for place in range(len(numbers)):
        changed = copy.deepcopy(tree)
        found = [node for node in ast.walk(changed) if isinstance(node, ast.Constant) and type(node.value) is int]
        found[place].value = float(found[place].value)
        yield ast.unparse(changed)


def faults(home: str, sample: str) -> list[str]:
    name, arguments = parse(sample)
    row, config = configuration(f"{home}.{name}", arguments)
    return [fault.operand for fault in constraints(row.op, row.framework, config) if fault.operand in layer(row.op).whole]


def outcomes(samples: list[tuple[str, list[tuple[Any, ...]]]], home: str, real: Real) -> Iterator[tuple[str, bool, bool]]:
    """Every sample with a float: whether a fault is told, and whether the library raises where it takes the whole number."""
    for sample, calls in samples:
        working = next((call for call in calls if not isinstance(real(sample, call), Exception)), None)
        for changed in with_floats(sample) if working is not None else ():
            yield changed, bool(faults(home, changed)), isinstance(real(changed, working), Exception)


def test_a_float_is_a_fault_only_where_the_library_raises() -> None:
    seen = [
        *outcomes(torch_layers.SAMPLES, "torch.nn", in_torch),
        *outcomes(keras_layers.SAMPLES, "keras.layers", in_keras),
    ]
    assert [sample for sample, told, raises in seen if told and not raises] == []
    raising = [told for _, told, raises in seen if raises]
    assert sum(raising) >= 0.7 * len(raising) > 0, "most floats that raise are found"


@pytest.mark.parametrize("op", sorted(op for op, layer in LAYERS.items() if layer.whole))
@pytest.mark.parametrize("framework", ["torch", "keras"])
def test_a_float_that_is_not_known_is_a_fault_too(op: str, framework: Any) -> None:
    shaped = "shape" in LAYERS[op].whole
    for name in () if shaped and framework == "keras" else LAYERS[op].whole:
        assert constraints(op, framework, {"affine": True, name: UnknownFloat("symbolic-arithmetic", "div")})
        assert not constraints(
            op, framework, {"affine": True, name: UnknownFloat("parameter", "annotated as float, may be an int")}
        )
        assert not constraints(op, framework, {"affine": True, name: UnknownFloat("symbolic-arithmetic", "mul")})


HALVES = {
    "n / 2": True, "8 / 2": True, "math.sqrt(n)": True, "n / 2 + 1": False, "0.5 * n": False,
    "n // 2": False, "int(n / 2)": False, "round(n / 2)": False, "math.ceil(n / 2)": False, "np.int64(n / 2)": False,
    "np.int32(7.5)": False, "2 ** n": False, "max(1, n // 3)": False, "int(8 / 2)": False, "8 // 2": False, "n": False,
    "int(np.ceil(n / 3))": False, "round(3.7)": False, "len(names) // 2": False, "divmod(n, 2)[0]": False, "scale": False,
}  # fmt: skip
USES = ("nn.Linear(3, {})", "nn.Conv2d(3, {}, 1)", "nn.Embedding({}, 4)", "nn.MaxPool2d({})(x)", "torch.zeros(3, {})",
        "torch.ones((2, {}))", "np.zeros(({}, 2))", "layers.Dense({})", "layers.Conv2D(8, {})", "layers.LSTM({})",
        "nn.Sequential(nn.Flatten(), nn.Linear({}, 3))", "x.view({}, -1)")  # fmt: skip
PROGRAM = """import math
import numpy as np
import torch
from keras import layers
from torch import nn


def build(n: int, scale: float, names: list[str], x: torch.Tensor):
    wanted = {half}
    return {use}
"""


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("half", HALVES)
def test_floats_are_told_apart_from_whole_numbers(half: str, use: str) -> None:
    direct = PROGRAM.format(half="None", use=use.format(half))
    named = PROGRAM.format(half=half, use=use.format("wanted"))
    for line, text in ((10, direct), (10, named)):
        told = [place for place in reports(text, today=True) if place == (line, "DLT118")]
        assert bool(told) is HALVES[half], text
