"""What a table tells about itself, and its columns taken away, renamed and turned into arrays."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, product
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler, prop
from dllint.frameworks.pandas.frame import (
    FRAME,
    SERIES,
    Names,
    array_of,
    labels,
    names_of,
    number,
    replace,
    resized,
    shape_of,
    wrapped,
)  # fmt: skip
from dllint.ir.values import Arguments, InstanceVal, ListVal, Value, unwrap

BOTH: Final = (FRAME, SERIES)


@prop(*(f"{owner}.values" for owner in BOTH))
def values(machine: Machine, one: Value) -> Value:
    """The array."""
    return array_of(one) or machine.unknown("unknown-data", "values")


@handler(*(f"{owner}.{name}" for owner in BOTH for name in ("to_numpy", "as_matrix", "__array__")))
def to_numpy(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """The array, in another type if one is given."""
    array, dtype = array_of(one), given("dtype=None, copy=False", arguments).get("dtype")
    if array is None or dtype is None or isinstance(dtype, ListVal):
        return array or machine.unknown("unknown-data", "to_numpy")
    return machine.emit("cast", {"x": array, "dtype": dtype}, framework="numpy", spelled="pandas.DataFrame.to_numpy")


@prop(*(f"{owner}.shape" for owner in BOTH))
def shape(machine: Machine, one: Value) -> Value:
    """The sizes."""
    return shape_of(one) or machine.unknown("unknown-data", "shape")


@prop(*(f"{owner}.ndim" for owner in BOTH))
def ndim(machine: Machine, one: Value) -> Value:
    """2 or 1."""
    return len(shape_of(one)) or machine.unknown("unknown-data", "ndim")


@prop(*(f"{owner}.size" for owner in BOTH))
def size(machine: Machine, one: Value) -> Value:
    """The number of elements."""
    sizes = shape_of(one)
    return product(sizes) if sizes else number("elements")


@handler(*(f"{owner}.__len__" for owner in BOTH))
def length(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """The number of rows."""
    sizes = shape_of(one)
    return sizes[0] if sizes else number("rows")


@prop(f"{FRAME}.columns")
def columns(machine: Machine, frame: Value) -> Value:
    """The names, if they are known."""
    names = names_of(frame)
    return ListVal(list(names)) if names is not None else ListVal([], Unknown("unknown-data", "column name"))


@prop(f"{FRAME}.T")
def transposed(machine: Machine, frame: Value) -> Value:
    """Rows as columns."""
    array = array_of(frame)
    if array is None:
        return machine.unknown("unknown-data", "table")
    return wrapped(machine, machine.emit("t", {"x": array}, framework="numpy", spelled=f"{FRAME}.T"))


@handler(f"{FRAME}.drop")
def drop(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """Without columns (``axis=1`` or ``columns=``) or rows of the given labels."""
    options = given("labels=None, axis=0, index=None, columns=None, level=None, inplace=False, errors='raise'", arguments)
    array, sizes = array_of(frame), shape_of(frame)
    if array is None or len(sizes) != 2:
        return machine.unknown("unknown-data", "drop")
    away = options.get("columns") if options.get("columns") is not None else options.get("labels")
    if options.get("columns") is None and options.get("axis") not in (1, "columns"):
        return _result(machine, frame, resized(array, (number("rows"), sizes[1])), names_of(frame), options)
    names, count = without(names_of(frame), sizes[1], away)
    return _result(machine, frame, resized(array, (sizes[0], count)), names, options)


def without(names: Names, width: Dim, away: Value) -> tuple[Names, Dim]:
    """Names and number of the columns that are left."""
    gone = labels(away) if not isinstance(away, (str, int)) else (away,)
    if gone is None:
        return None, number("columns")
    if names is not None and set(gone) <= set(names):
        left = tuple(name for name in names if name not in gone)
        return left, len(left)
    return None, width - len(gone) if isinstance(width, (int, DimExpr)) else number("columns")


def _result(machine: Machine, frame: Value, array: Value, names: Names, options: dict[str, Value]) -> Value:
    """The changed table, or nothing if it was changed in place."""
    new = wrapped(machine, array, names)
    if unwrap(options.get("inplace")) is True and isinstance(frame, InstanceVal):
        replace(machine, frame, new)
        return None
    return new


@handler(f"{FRAME}.pop")
def pop(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """A column, which leaves the table."""
    array, sizes = array_of(frame), shape_of(frame)
    if array is None or len(sizes) != 2 or not isinstance(frame, InstanceVal):
        return machine.unknown("unknown-data", "pop")
    names, count = without(names_of(frame), sizes[1], unwrap(arguments.args[0]) if arguments.args else Unknown("column"))
    replace(machine, frame, wrapped(machine, resized(array, (sizes[0], count)), names))
    return wrapped(machine, resized(array, sizes[:1]))


@handler(f"{FRAME}.rename", f"{FRAME}.insert", f"{FRAME}.select_dtypes", f"{FRAME}.assign", f"{FRAME}.merge", f"{FRAME}.join",
         f"{FRAME}.set_index", f"{FRAME}.pivot", f"{FRAME}.pivot_table", f"{FRAME}.filter", "pandas.merge")  # fmt: skip
def reshaped(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """A table whose columns are not followed."""
    frame = frame if frame is not None else next(iter(arguments.args), None)
    array = array_of(frame)
    if array is None:
        return machine.unknown("unknown-data", "table")
    new = resized(array, (number("rows"), number("columns")), Unknown("unknown-data", "column"))
    return _result(machine, frame, new, None, {"inplace": arguments.kwargs.get("inplace")})
