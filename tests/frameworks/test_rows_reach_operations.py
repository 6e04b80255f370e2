"""Every row of a function binds what its operation needs: a parameter under a name that no rename knows would be lost."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from dllint.frameworks import registry
from dllint.frameworks.binding import Param
from dllint.frameworks.machine import HANDLERS
from dllint.frameworks.rows import FunctionRow
from dllint.lower.library import renamer
from dllint.ops.spec import OPS

LIBRARIES = ("torch", "keras", "numpy", "tensorflow", "torchvision")


def bound_by_rows(library: str) -> Iterator[tuple[str, FunctionRow, tuple[Param, ...]]]:
    """The functions of a library whose calls are bound by a row and not by a handler: name, row and parameters."""
    registry.load(library)
    for name, row in registry.functions().items():
        params = registry.parameters(name, row.params)
        if name not in HANDLERS and name.startswith(f"{library}.") and params is not None:
            yield name, row, params


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_an_operation_needs_is_bound(library):
    lacking = []
    for name, row, params in bound_by_rows(library):
        bound = {renamer(row)(param.name) for param in params} | set(row.const)
        needed = {key for key, param in OPS[row.op].parameters.items() if is_needed(param)}
        if needed - bound:
            lacking.append((name, row.op, needed - bound))
    assert lacking == []


@pytest.mark.parametrize("library", ["torch", "keras", "torchvision"])
def test_no_two_parameters_are_one_of_the_operation(library):
    """One would be lost. (TensorFlow's and numpy's signatures have old and new names of one parameter.)"""
    lost = []
    for name, row, params in bound_by_rows(library):
        bound = [renamer(row)(param.name) for param in params if param.kind in ("pos", "only")]
        if len(bound) > len(set(bound)):
            lost.append((name, row.op, bound))
    assert lost == []


def is_needed(param: inspect.Parameter) -> bool:
    return param.default is param.empty and param.kind in (param.POSITIONAL_OR_KEYWORD, param.KEYWORD_ONLY)


#: Functions whose first operand is the second one of their operation.
TURNED = {
    "torch.bucketize": "the boundaries, which the operation searches, come second",
    "tensorflow.math.scalar_mul": "a product, which is the same in either order",
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_operands_come_in_the_order_of_the_operation(library):
    """A library that calls its first operand ``y``, as ``tf.math.atan2(y, x)``, means the first operand."""
    turned = []
    for name, row, params in bound_by_rows(library):
        operands = [key for key in (renamer(row)(param.name) for param in params) if key in ("x", "y")]
        if operands == ["y", "x"]:
            turned.append(name)
    assert set(turned) == {name for name in TURNED if name.startswith(f"{library}.")}
