"""Methods that keep the columns: rows drawn, dropped and put in order, elements changed one by one, statistics."""

from __future__ import annotations

from types import NoneType
from typing import Final

from dllint.domains.dim import Dim
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler, prop
from dllint.frameworks.pandas.columns import BOTH
from dllint.frameworks.pandas.frame import (
    FRAME,
    SERIES,
    array_of,
    holds_objects,
    names_of,
    number,
    of_objects,
    replace,
    resized,
    shape_of,
    wrapped,
)
from dllint.frameworks.pandas.reading import PLAIN
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value, unwrap

#: Methods that keep the shape and the elements.
SAME: Final = ("copy", "sort_values", "sort_index", "reindex", "infer_objects", "convert_dtypes")
#: Methods that keep the shape and change elements.
CHANGED: Final = (
    "fillna", "replace", "interpolate", "ffill", "bfill", "shift", "diff", "round", "clip", "where", "mask", "abs",
    "rank", "cumsum", "pct_change", "isna", "isnull", "notna", "notnull", "isin", "between", "eq", "ne",
    "gt", "lt", "ge", "le", "sub", "add", "mul", "div", "subtract", "multiply", "divide",
)  # fmt: skip
#: Methods that keep the shape and call a function for the elements.
CALLED: Final = ("applymap", "map", "transform")
#: Methods that leave fewer rows.
FEWER: Final = ("dropna", "drop_duplicates", "query", "nlargest", "nsmallest", "truncate", "explode")
#: Numbers per column.
STATISTICS: Final = {"mean": "mean", "std": "std", "min": "amin", "max": "amax", "sum": "sum", "median": "median", "var": "var"}


def _kept(machine: Machine, one: Value, arguments: Arguments, array: Value) -> Value:
    """The changed object, or nothing if it was changed in place."""
    new = wrapped(machine, array, names_of(one))
    if unwrap(arguments.kwargs.get("inplace")) is True and isinstance(one, InstanceVal):
        replace(machine, one, new)
        return None
    return new


@handler(*(f"{owner}.{name}" for owner in BOTH for name in SAME))
def same(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """The same elements, perhaps in another order."""
    array = array_of(one)
    if array is None:
        return machine.unknown("unknown-data", "table")
    return _kept(machine, one, arguments, resized(array, shape_of(one)))


@handler(f"{SERIES}.apply", *(f"{owner}.{name}" for owner in BOTH for name in CALLED))
def computed(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """What a function makes of each element, which may be a list or an array."""
    if array_of(one) is None:
        return machine.unknown("unknown-data", "table")
    type_ = TensorType(shape_of(one), of_objects("changed elements"))
    return _kept(machine, one, arguments, machine.tensor(type_, framework="numpy", name="computed"))


@handler(*(f"{owner}.{name}" for owner in BOTH for name in CHANGED))
def changed(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """Other elements in the same places."""
    array = array_of(one)
    if array is None:
        return machine.unknown("unknown-data", "table")
    dtype = of_objects("changed elements") if holds_objects(one) else Unknown("unknown-data", "changed elements")
    type_ = TensorType(shape_of(one), dtype)
    return _kept(machine, one, arguments, machine.tensor(type_, framework="numpy", name=array.name))


@handler(f"{FRAME}.apply", f"{FRAME}.groupby", f"{SERIES}.groupby", f"{FRAME}.agg")
def grouped(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return machine.unknown("unknown-data", "groups")


@handler(*(f"{owner}.{name}" for owner in BOTH for name in FEWER))
def fewer(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """An unknown number of the rows."""
    array = array_of(one)
    if array is None:
        return machine.unknown("unknown-data", "table")
    return _kept(machine, one, arguments, resized(array, (number("rows"), *shape_of(one)[1:])))


@handler(*(f"{owner}.{name}" for owner in BOTH for name in ("head", "tail")))
def ends(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """At most ``n`` rows."""
    array, count, sizes = array_of(one), given("n=5", arguments).get("n"), shape_of(one)
    if array is None:
        return machine.unknown("unknown-data", "table")
    rows: Dim = min(count, sizes[0]) if isinstance(count, int) and isinstance(sizes[0], int) and count >= 0 else number("rows")
    return wrapped(machine, resized(array, (rows, *sizes[1:])), names_of(one))


@handler(*(f"{owner}.sample" for owner in BOTH))
def sample(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """``n`` rows, or a share of them; ``frac=1`` shuffles."""
    options = given("n=None, frac=None, replace=False, weights=None, random_state=None, axis=None", arguments)
    array, sizes, share, count = array_of(one), shape_of(one), options.get("frac"), options.get("n")
    if array is None:
        return machine.unknown("unknown-data", "table")
    rows = sizes[0] if share in (1, 1.0) else count if isinstance(count, int) else number("rows")
    return wrapped(machine, resized(array, (rows, *sizes[1:])), names_of(one))


@handler(f"{FRAME}.reset_index")
def reset_index(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """The index becomes a column unless it is dropped."""
    array, sizes = array_of(frame), shape_of(frame)
    if array is None or len(sizes) != 2:
        return machine.unknown("unknown-data", "table")
    if unwrap(arguments.kwargs.get("drop")) is True:
        return _kept(machine, frame, arguments, resized(array, sizes))
    new = wrapped(machine, resized(array, (sizes[0], sizes[1] + 1), Unknown("unknown-data", "index")))
    if unwrap(arguments.kwargs.get("inplace")) is True and isinstance(frame, InstanceVal):
        replace(machine, frame, new)
        return None
    return new


@handler(f"{SERIES}.reset_index")
def reset_series_index(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """The same column if the index is dropped."""
    if unwrap(arguments.kwargs.get("drop")) is True:
        return same(machine, series, arguments)
    return machine.unknown("unknown-data", "index")


@handler(*(f"{owner}.astype" for owner in BOTH))
def astype(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """The same shape in another type."""
    array, dtype = array_of(one), given("dtype, copy=None, errors='raise'", arguments).get("dtype")
    if array is None:
        return machine.unknown("unknown-data", "table")
    cast = machine.emit("cast", {"x": array, "dtype": dtype}, framework="numpy", spelled=f"{FRAME}.astype")
    return wrapped(machine, cast, names_of(one))


def _statistic(name: str, op: str) -> None:
    def frame_statistic(machine: Machine, frame: Value, arguments: Arguments) -> Value:
        axis = given("axis=0", arguments).get("axis")
        if not isinstance(axis, (int, str, NoneType)):
            return machine.unknown("no-argument", f"{FRAME}.{name}(axis=)")
        args = {"x": array_of(frame), "dim": {"index": 0, "rows": 0, "columns": 1}.get(axis) if isinstance(axis, str) else axis}
        return wrapped(machine, machine.emit(op, args, framework="numpy", spelled=f"{FRAME}.{name}"))

    def series_statistic(machine: Machine, series: Value, arguments: Arguments) -> Value:
        return Unknown("unknown-data", name)

    handler(f"{FRAME}.{name}")(frame_statistic)
    handler(f"{SERIES}.{name}")(series_statistic)


for _name, _op in STATISTICS.items():
    _statistic(_name, _op)


@handler(f"{SERIES}.tolist", f"{SERIES}.to_list")
def as_list(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """The elements as a list. Of a column of anything each may be a list itself."""
    array = array_of(series)
    if array is None:
        return machine.unknown("unknown-data", "tolist")
    read_as_text = array.producer is not None and array.producer.spelled == PLAIN
    if isinstance(array.dtype, Unknown) and not read_as_text:
        return machine.unknown("unknown-data", "cell")
    return ListVal([], _cell(array))


def _cell(array: TensorVal) -> Value:
    """What each cell of a column is as a number of Python's; nothing is known of the type of a file's column."""
    kind = array.dtype.kind if isinstance(array.dtype, DType) else None
    if kind == "float":
        return UnknownFloat("unknown-number", "cell")
    return resized(array, ())


@handler(f"{SERIES}.unique")
def unique(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """An array of the elements; how many differ is not known."""
    array = array_of(series)
    if array is None:
        return machine.unknown("unknown-data", "unique")
    return resized(array, (number("classes"),))


@handler(f"{SERIES}.nunique", f"{SERIES}.count")
def count(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """A number."""
    return number("classes")


@handler(f"{SERIES}.to_frame")
def to_frame(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """A table of one column."""
    array = array_of(series)
    args = {"x": array, "dim": 1}
    return wrapped(machine, machine.emit("unsqueeze", args, framework="numpy", spelled=f"{SERIES}.to_frame"))


@prop(f"{SERIES}.cat")
def categories(machine: Machine, series: Value) -> Value:
    """The accessor of a column of categories."""
    return InstanceVal(LibSymbol("pandas.cat"), {"of": series}, site=machine.site)


@prop("pandas.cat.codes", on=InstanceVal)
def codes(machine: Machine, accessor: InstanceVal) -> Value:
    """Class indices."""
    array = array_of(accessor.own("of"))
    found = machine.emit("class_indices", {"x": array}, framework="numpy", spelled="pandas.cat.codes")
    dtype = Unknown("unknown-data", "as wide as the categories need")
    return wrapped(machine, machine.emit("cast", {"x": found, "dtype": dtype}, framework="numpy", spelled="pandas.cat.codes"))
