"""Rows of numbers out of bytes, text and iterators, and sets of elements: how many there are, the data decide.

Source: the documentation of numpy; ``tests/frameworks/numpy/test_buffers.py`` compares with it.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, counted
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.numpy.joining import array, new_array
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.operand import read_dtype

_OF_BYTES: Final = "buffer, dtype=None, count=-1, *rest, **options"


@handler("numpy.frombuffer", "numpy.fromstring")
def of_bytes(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``frombuffer(buffer, dtype=float, count=-1)``: a row; ``fromstring`` is the same of text."""
    bound = given(_OF_BYTES, arguments)
    return new_array(machine, (_count(bound["count"]),), _type(bound["dtype"]))


@handler("numpy.fromiter")
def of_iterator(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``fromiter(iter, dtype, count=-1)``: a row."""
    bound = given("iter, dtype, count=-1, *, like=None", arguments)
    return new_array(machine, (_count(bound["count"]),), _type(bound.get("dtype")))


def _count(count: Value) -> Dim:
    """A number of elements; a negative one asks for all that there are."""
    if isinstance(count, int):
        return count if count >= 0 else counted("items")
    return count if isinstance(count, DimExpr) else counted("items")


def _type(dtype: Value) -> DType | Unknown:
    found = FLOAT64 if dtype is None else read_dtype(dtype)
    return Unknown("no-argument", "dtype") if found is None else found


@handler("numpy.intersect1d", "numpy.setdiff1d", "numpy.union1d", "numpy.setxor1d")
def of_sets(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The elements that two arrays have in common, that one has alone, or that either has: a sorted row."""
    bound = given("ar1, ar2, *rest, return_indices=False, **options", arguments)
    x, y = array(machine, bound.get("ar1")), array(machine, bound.get("ar2"))
    alike = isinstance(x, TensorVal) and isinstance(y, TensorVal) and x.dtype == y.dtype
    if bound["return_indices"] is not False or not isinstance(x, TensorVal):
        return machine.unknown("no-tensor", "numpy.intersect1d")
    return new_array(machine, (counted("found"),), x.dtype if alike else Unknown("no-promotion", "numpy"))
