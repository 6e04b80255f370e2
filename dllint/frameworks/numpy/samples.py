"""Functions of rows of samples: convolutions, slopes and integrals, covariances, products of vectors, fits.

Source: the documentation of numpy; ``tests/frameworks/numpy/test_functions_of_samples.py`` compares with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim, add, counted, minimum
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import broadcast
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.numpy.joining import array, new_array, shape_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

_MIXED: Final = Unknown("no-promotion", "numpy")
#: Vectors of three numbers, or of two, which numpy takes for three of which the last is 0.
_SPACE: Final = (2, 3)


def _floating(*arrays: TensorVal) -> DType | Unknown:
    """The type of results of divisions: whole numbers become floating-point ones of double precision."""
    found = {FLOAT64 if isinstance(x.dtype, DType) and x.dtype.kind in ("bool", "int") else x.dtype for x in arrays}
    return found.pop() if len(found) == 1 else _MIXED


def _common(x: TensorVal, y: TensorVal) -> DType | Unknown:
    return x.dtype if isinstance(x.dtype, DType) and x.dtype == y.dtype else _MIXED


@handler("numpy.convolve")
def convolve(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Two rows: ``full`` has all places where they meet, ``same`` as many as the longer one, ``valid`` those where they overlap
    whole."""
    return _slid(machine, given("a, v, mode='full'", arguments))


@handler("numpy.correlate")
def correlate(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The same without turning the second row round."""
    return _slid(machine, given("a, v, mode='valid'", arguments))


def _slid(machine: Machine, bound: Mapping[str, Value]) -> Value:
    x, y = array(machine, bound.get("a")), array(machine, bound.get("v"))
    first, second = shape_of(x), shape_of(y)
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or first is None or second is None:
        return machine.unknown("no-tensor", "numpy.convolve")
    length = _places(bound["mode"], first[0], second[0]) if len(first) == len(second) == 1 else None
    shape = Unknown("no-argument", "mode") if length is None else (length,)
    return new_array(machine, shape, _common(x, y))


def _places(mode: Value, first: Dim, second: Dim) -> Dim | None:
    if mode == "full":
        return add(add(first, second), -1)
    if not isinstance(first, int) or not isinstance(second, int):
        return None
    if mode == "same":
        return max(first, second)
    return abs(first - second) + 1 if mode == "valid" else None


@handler("numpy.gradient")
def gradient(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The slopes along an axis; along each of several axes, an array for each (a tuple, before numpy 2.0 a list)."""
    bound = given("f, *varargs, axis=None, edge_order=1", arguments)
    x, axis = array(machine, bound.get("f")), bound["axis"]
    shape = shape_of(x)
    if not isinstance(x, TensorVal) or shape is None or not isinstance(axis, (int, type(None))):
        return machine.unknown("no-tensor", "numpy.gradient")
    if axis is not None or len(shape) == 1:
        return new_array(machine, shape, _floating(x))
    return tuple(new_array(machine, shape, _floating(x)) for _ in shape)


@handler("numpy.trapz", "numpy.trapezoid")
def integral(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The integral along an axis, which is gone."""
    bound = given("y, x=None, dx=1.0, axis=-1", arguments)
    y, axis = array(machine, bound.get("y")), bound["axis"]
    shape = shape_of(y)
    if not isinstance(y, TensorVal) or shape is None or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        return machine.unknown("no-tensor", "numpy.trapezoid")
    place = axis % len(shape)
    dtype = _floating(y) if bound["x"] is None else _MIXED
    return new_array(machine, (*shape[:place], *shape[place + 1 :]), dtype)


@handler("numpy.cov", "numpy.corrcoef")
def covariances(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A square matrix with a row for each variable, each of which is a row of the array, or with ``rowvar=False`` a column; one
    number for a single row of a covariance."""
    bound = given("m, y=None, rowvar=True, *rest, dtype=None, **more", arguments)
    x, other, rowvar = array(machine, bound.get("m")), bound["y"], bound["rowvar"]
    shape = shape_of(x)
    if not isinstance(x, TensorVal) or shape is None or not isinstance(rowvar, bool) or len(shape) not in (1, 2):
        return machine.unknown("no-tensor", "numpy.cov")
    number: Dim = 1 if len(shape) == 1 else shape[0] if rowvar else shape[1]
    if other is not None:
        added = shape_of(array(machine, other))
        if added is None or len(added) != len(shape):
            return new_array(machine, Unknown("no-argument", "y"), Unknown("no-argument", "y"))
        number = add(number, 1 if len(shape) == 1 else added[0] if rowvar else added[1])
    return new_array(machine, () if number == 1 else (number, number), FLOAT64 if bound["dtype"] is None else _MIXED)


@handler("numpy.cross")
def cross(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The vector products of the vectors along the last axes: of three numbers, or one number where both have two."""
    bound = given("a, b, axisa=-1, axisb=-1, axisc=-1, axis=None", arguments)
    x, y = array(machine, bound.get("a")), array(machine, bound.get("b"))
    first, second = shape_of(x), shape_of(y)
    is_plain = all(bound[name] == -1 for name in ("axisa", "axisb", "axisc")) and bound["axis"] in (None, -1)
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or not first or not second or not is_plain:
        return machine.unknown("no-tensor", "numpy.cross")
    sizes = (first[-1], second[-1])
    shape, conflict = broadcast((first[:-1], second[:-1]))
    if conflict is not None or not all(size in _SPACE for size in sizes):
        return new_array(machine, Unknown("no-argument", "cross"), _common(x, y))
    return new_array(machine, shape if sizes == (2, 2) else (*shape, 3), _common(x, y))


@handler("numpy.polyfit")
def coefficients(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The coefficients of a polynomial, one more than its degree; with ``full`` or ``cov``, more than these."""
    bound = given("x, y, deg, rcond=None, full=False, w=None, cov=False", arguments)
    degree, y = bound.get("deg"), shape_of(array(machine, bound.get("y")))
    if bound["full"] is not False or bound["cov"] is not False or not isinstance(degree, int) or y is None or len(y) != 1:
        return machine.unknown("no-argument", "numpy.polyfit")
    return new_array(machine, (degree + 1,), FLOAT64)


@handler("numpy.linalg.lstsq")
def least_squares(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``lstsq(a, b)``: the solution, the residuals, the rank, and the singular values."""
    bound = given("a, b, rcond=None", arguments)
    x, y = array(machine, bound.get("a")), array(machine, bound.get("b"))
    a, b = shape_of(x), shape_of(y)
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or a is None or len(a) != 2 or not b:
        return machine.unknown("no-tensor", "numpy.linalg.lstsq")
    dtype = _floating(x, y)
    found = (new_array(machine, (a[1], *b[1:]), dtype), new_array(machine, (counted("residuals"),), dtype))
    return (*found, Unknown("run-time", "rank"), new_array(machine, (minimum(*a),), dtype))


@handler("numpy.inner")
def inner(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The sums of products along the last axes of both."""
    bound = given("a, b", arguments)
    x, y = array(machine, bound.get("a")), array(machine, bound.get("b"))
    first, second = shape_of(x), shape_of(y)
    if not isinstance(x, TensorVal) or not isinstance(y, TensorVal) or not first or not second:
        return machine.unknown("no-tensor", "numpy.inner")
    return new_array(machine, (*first[:-1], *second[:-1]), x.dtype if x.dtype == y.dtype else Unknown("no-promotion", "numpy"))
