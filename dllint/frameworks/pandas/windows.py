"""Windows over the rows (``rolling``, ``ewm``, ``expanding``), texts and times of a column, and how often each value occurs."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.frameworks.pandas.columns import BOTH
from dllint.frameworks.pandas.frame import SERIES, array_of, names_of, number, resized, shape_of, wrapped
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap

_WINDOW: Final = "pandas.window"
_TEXTS: Final = "pandas.Series.str"
_TIMES: Final = "pandas.Series.dt"
LIBRARY_BASES.update({_WINDOW: (), _TEXTS: (), _TIMES: ()})
#: Statistics that give one number for each row.
_STATISTICS: Final = ("mean", "std", "var", "sum", "min", "max", "median", "count", "skew", "kurt", "quantile")
#: Methods of texts that give one value for each row.
_OF_TEXTS: Final = (
    "len", "lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize", "contains", "startswith", "endswith", "count",
    "find", "replace", "slice", "zfill", "pad", "match", "fullmatch", "isdigit", "isnumeric", "isalpha", "encode",
)  # fmt: skip
#: Properties of times that give one number for each row.
_OF_TIMES: Final = (
    "year", "month", "day", "hour", "minute", "second", "dayofweek", "day_of_week", "weekday", "dayofyear", "day_of_year",
    "quarter", "days", "seconds",
)  # fmt: skip


@handler(*(f"{owner}.{name}" for owner in BOTH for name in ("rolling", "ewm", "expanding")))
def windows(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """The windows; their statistics have the rows and columns of the table."""
    if array_of(one) is None or unwrap(arguments.kwargs.get("axis")) not in (None, 0):
        return machine.unknown("unknown-data", "windows")
    return InstanceVal(LibSymbol(_WINDOW), {"of": one}, site=machine.site)


@handler(*(f"{_WINDOW}.{name}" for name in _STATISTICS), on=InstanceVal)
def statistic(machine: Machine, window: InstanceVal, arguments: Arguments) -> Value:
    """One number for each row and column. Columns of texts are left out of statistics of tables by some releases."""
    of = window.own("of")
    shape = shape_of(of)
    if not shape:  # the constructor of a subclass has not run
        return machine.unknown("unknown-data", "windows")
    sizes = shape if len(shape) == 1 else (shape[0], number("columns"))
    return _as(machine, of, TensorType(sizes, Unknown("unknown-data", "window")))


def _as(machine: Machine, of: Value, type_: TensorType) -> Value:
    return wrapped(machine, machine.tensor(type_, framework="numpy", name="column"), names_of(of))


def _accessor(name: str, kind: str) -> None:
    @prop(f"{SERIES}.{name}")
    def read(machine: Machine, series: Value) -> Value:
        if array_of(series) is None:
            return machine.unknown("unknown-data", name)
        return InstanceVal(LibSymbol(kind), {"of": series}, site=machine.site)


_accessor("str", _TEXTS)
_accessor("dt", _TIMES)


@handler(*(f"{_TEXTS}.{name}" for name in _OF_TEXTS), on=InstanceVal)
def of_texts(machine: Machine, accessor: InstanceVal, arguments: Arguments) -> Value:
    """One value for each row."""
    return _as(machine, None, TensorType(shape_of(accessor.own("of")), Unknown("unknown-data", "texts")))


@prop(*(f"{_TIMES}.{name}" for name in _OF_TIMES), on=InstanceVal)
def of_times(machine: Machine, accessor: InstanceVal) -> Value:
    """One number for each row."""
    return _as(machine, None, TensorType(shape_of(accessor.own("of")), Unknown("unknown-data", "times")))


@handler(f"{SERIES}.value_counts")
def value_counts(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """How often each value occurs."""
    array = array_of(series)
    if array is None:
        return machine.unknown("unknown-data", "value_counts")
    return wrapped(machine, resized(array, (number("classes"),), Unknown("unknown-data", "counts")))
