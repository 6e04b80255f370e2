"""Grids of places and rows of numbers at equal distances: ``mgrid``, ``ogrid``, ``indices``, ``ix_``, ``tri``, ``logspace``.

Source: the documentation of numpy; ``tests/frameworks/numpy/test_grids.py`` compares with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from dllint.domains.dim import Dim, DimExpr, add, counted, mul
from dllint.domains.dtype import FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.numpy.joining import array, new_array, rank, shape_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, SliceVal, Value, unwrap
from dllint.ops.operand import read_dtype

_OPEN: Final = Unknown("no-argument", "range")


@handler("numpy.mgrid.__getitem__")
def mgrid(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``mgrid[0:h, 0:w]``: the places of a grid, ``(2, h, w)``; of one range, a row."""
    ranges = _ranges(arguments.positional(0))
    if ranges is None:
        return machine.unknown("no-argument", "numpy.mgrid")
    sizes, dtype = [_count(part) for part in ranges], _type(ranges)
    is_row = not isinstance(arguments.positional(0), tuple)
    return new_array(machine, tuple(sizes) if is_row else (len(sizes), *sizes), dtype)


@handler("numpy.ogrid.__getitem__")
def ogrid(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``ogrid[0:h, 0:w]``: for each axis its places, ``(h, 1)`` and ``(1, w)``, in a tuple (before numpy 1.25 a list)."""
    ranges = _ranges(arguments.positional(0))
    if ranges is None:
        return machine.unknown("no-argument", "numpy.ogrid")
    sizes, dtype = [_count(part) for part in ranges], _type(ranges)
    if not isinstance(arguments.positional(0), tuple):
        return new_array(machine, tuple(sizes), dtype)
    return tuple(new_array(machine, _along(size, place, len(sizes)), dtype) for place, size in enumerate(sizes))


def _along(size: Dim, place: int, axes: int) -> tuple[Dim, ...]:
    return (*(1,) * place, size, *(1,) * (axes - place - 1))


def _ranges(key: Value) -> list[SliceVal] | None:
    parts = [unwrap(part) for part in (key if isinstance(key, tuple) else (key,))]
    ranges = [part for part in parts if isinstance(part, SliceVal)]
    return ranges if ranges and len(ranges) == len(parts) else None


def _count(part: SliceVal) -> Dim:
    """How many places a range has; an imaginary step is their number."""
    start, stop, step = (unwrap(value) for value in (part.start, part.stop, part.step))
    start, step = 0 if start is None else start, 1 if step is None else step
    if isinstance(step, complex):
        return int(abs(step))
    if isinstance(start, (int, float)) and isinstance(stop, (int, float)) and isinstance(step, (int, float)) and step:
        length = (stop - start) / step
        return max(math.ceil(length), 0) if math.isfinite(length) else counted("places")
    if step == 1 and isinstance(start, (int, DimExpr)) and isinstance(stop, (int, DimExpr)):
        return add(stop, mul(start, -1))
    return counted("places")


def _type(ranges: Sequence[SliceVal]) -> DType | Unknown:
    parts = [unwrap(value) for part in ranges for value in (part.start, part.stop, part.step) if value is not None]
    if any(isinstance(part, (float, complex)) for part in parts):
        return FLOAT64
    return INT64 if all(isinstance(part, (int, DimExpr)) for part in parts) else _OPEN


@handler("numpy.indices")
def indices(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``indices(dimensions, dtype=int, sparse=False)``: the places of an array of these sizes."""
    bound = given("dimensions, dtype=None, sparse=False", arguments)
    sizes, dtype = kinds.sizes(bound.get("dimensions")), read_dtype(bound["dtype"])
    found: DType | Unknown = INT64 if bound["dtype"] is None else Unknown("no-argument", "dtype") if dtype is None else dtype
    if sizes is None or not isinstance(bound["sparse"], bool):
        return machine.unknown("no-argument", "numpy.indices")
    if bound["sparse"]:
        return tuple(new_array(machine, _along(size, place, len(sizes)), found) for place, size in enumerate(sizes))
    return new_array(machine, (len(sizes), *sizes), found)


@handler("numpy.ix_")
def open_mesh(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``ix_(rows, columns)``: indices that take the places where each row meets each column."""
    rows = [array(machine, value) for value in arguments.args]
    sizes = [size for row in rows if isinstance(row, TensorVal) and _is_whole(row) for size in shape_of(row) or ()]
    if not rows or arguments.kwargs or len(sizes) != len(rows):
        return machine.unknown("no-tensor", "numpy.ix_")
    return tuple(new_array(machine, _along(size, place, len(sizes)), INT64) for place, size in enumerate(sizes))


def _is_whole(row: TensorVal) -> bool:
    """Whether an array is a row of whole numbers; one of truth values tells how many are true."""
    return rank(row) == 1 and row.dtype == INT64


@handler("numpy.tri")
def triangle(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``tri(N, M=None, k=0, dtype=float)``: ones at and below a diagonal."""
    bound = given("N, M=None, k=0, dtype=None, *, like=None", arguments)
    rows = bound.get("N")
    sizes = kinds.sizes((rows, rows if bound["M"] is None else bound["M"]))
    dtype = FLOAT64 if bound["dtype"] is None else read_dtype(bound["dtype"])
    if sizes is None:
        return machine.unknown("no-argument", "numpy.tri")
    return new_array(machine, sizes, Unknown("no-argument", "dtype") if dtype is None else dtype)


@handler("numpy.logspace", "numpy.geomspace")
def logspace(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``logspace(start, stop, num=50, …)``: numbers whose logarithms lie at equal distances."""
    bound = given("start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0", arguments)
    number, ends = bound["num"], (bound.get("start"), bound.get("stop"))
    if not isinstance(number, (int, DimExpr)) or not all(isinstance(end, (int, float)) for end in ends):
        return machine.unknown("no-argument", "numpy.logspace")
    dtype = FLOAT64 if bound["dtype"] is None else read_dtype(bound["dtype"])
    return new_array(machine, (number,), Unknown("no-argument", "dtype") if dtype is None else dtype)
