"""Literal data: the type of nested lists of numbers, and the bounds that literals and integer ranges give."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dllint.domains.dtype import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType
from dllint.domains.elements import held
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Value
from dllint.lower.journal import Journal
from dllint.ops.chosen import chosen_data, is_by_place, is_exchangeable
from dllint.ops.kinds import by_name, having
from dllint.ops.traits import Trait

_LARGEST = 4096


def literal_type(data: Value, framework: Framework) -> TensorType | Unknown:
    """The array type of nested tuples of numbers; Unknown if they are ragged or hold anything else."""
    shape = _shape(data)
    if shape is None:
        return Unknown("ragged-literal")
    return TensorType(shape, _dtype(data, framework))


def _shape(data: Value) -> tuple[int, ...] | None:
    if not isinstance(data, tuple):
        return () if isinstance(data, (int, float, complex)) else None
    inner = {_shape(item) for item in data}
    if len(inner) > 1 or None in inner:
        return None
    return (len(data), *(next(iter(inner)) or ())) if inner else (0,)


def _dtype(data: Value, framework: Framework) -> DType | Unknown:
    while isinstance(data, tuple):
        data = next((item for item in data if isinstance(item, (float, tuple))), data[0] if data else 0.0)
    if isinstance(data, bool):
        return BOOL
    if isinstance(data, int):
        return INT64 if framework == "numpy" else INT32
    return FLOAT64 if framework == "numpy" else FLOAT32


def _numbers(data: Value) -> list[float] | None:
    """All numbers of nested tuples, ``None`` if there is anything else or too much."""
    out: list[float] = []
    todo = [data]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            todo.extend(item)
        elif isinstance(item, (int, float)):
            out.append(item)
        else:
            return None
        if len(out) > _LARGEST:
            return None
    return out


def _from_data(args: Mapping[str, Value], out: TensorVal) -> None:
    data = args.get("data")
    if isinstance(data, TensorVal):
        out.data, out.low, out.high, out.reach = data.data, data.low, data.high, data.reach
        return
    numbers = _numbers(data) or []
    if numbers:
        out.data = data
        if all(map(_lies_somewhere, numbers)):
            out.low, out.high = min(numbers), max(numbers)


def _lies_somewhere(number: float) -> bool:
    """Whether a number can be a bound: it is not NaN, and not an integer beyond the largest float."""
    return number == number and (isinstance(number, float) or abs(number) < 2**1023)


def _from_range(args: Mapping[str, Value], out: TensorVal) -> None:
    low, high = args.get("low", 0), args.get("high")
    if high is None:  # numpy: ``randint(high)``
        low, high = 0, low
    if isinstance(low, int):
        out.low = min(low, 0) if isinstance(high, Unknown) else low
    if isinstance(high, int):
        out.high = high - 1 if args.get("endpoint") in (None, False) else high


def _from_arange(args: Mapping[str, Value], out: TensorVal) -> None:
    start, end, step = args.get("start", 0), args.get("end"), args.get("step") or 1
    if end is None:
        start, end = 0, start
    if isinstance(start, int) and isinstance(end, int) and isinstance(step, int) and step > 0 and end > start:
        out.low, out.high = start, start + (end - start - 1) // step * step


def _from_linspace(args: Mapping[str, Value], out: TensorVal) -> None:
    start, end = args.get("start"), args.get("end")
    if isinstance(start, (int, float)) and isinstance(end, (int, float)):
        low = min(start, end)
        # Libraries round down, or towards 0.
        out.low, out.high = low if not _is_whole(out.dtype) else math.floor(low), max(start, end)


def _is_whole(dtype: DType | Unknown) -> bool:
    return isinstance(dtype, DType) and dtype.kind == "int"


def _constant(value: float) -> Callable[[Mapping[str, Any], TensorVal], None]:
    def annotate_constant(_args: Mapping[str, Value], out: TensorVal) -> None:
        out.low = out.high = value

    return annotate_constant


def _filled(args: Mapping[str, Value], out: TensorVal) -> None:
    value = args.get("fill_value")
    if isinstance(value, (int, float)):
        out.low = out.high = value


def _refilled(args: Mapping[str, Value], out: TensorVal) -> None:
    value = args.get("value")
    if isinstance(value, (int, float)):
        out.low = out.high = value
    elif isinstance(value, TensorVal):
        out.low, out.high = value.low, value.high


def _remainder(args: Mapping[str, Value], out: TensorVal) -> None:
    """All remainders of a divisor, if the range of the dividend covers one whole period."""
    x, divisor = args.get("x"), args.get("y")
    if not isinstance(divisor, int) or divisor <= 0 or not isinstance(out.dtype, DType) or out.dtype.kind != "int":
        return
    if (
        isinstance(x, TensorVal)
        and x.data is None
        and x.low is not None
        and x.high is not None
        and x.high - x.low >= divisor - 1
    ):
        out.low, out.high = 0, divisor - 1


def _kept(args: Mapping[str, Value], out: TensorVal) -> None:
    x = args.get("x")
    if isinstance(x, TensorVal):
        out.low, out.high, out.reach = x.low, x.high, x.reach


def _chosen(args: Mapping[str, Value], out: TensorVal) -> None:
    """Elements chosen by an index: those of a literal, if the index is written, too; else what holds for each of them."""
    x, index = args.get("x"), args.get("index")
    if not isinstance(x, TensorVal):
        return
    if x.data is not None and (data := chosen_data(x.data, index)) is not None:
        _from_data({"data": data}, out)
    elif x.low == x.high or (is_exchangeable(x) and is_by_place(index)):
        _kept(args, out)


def _part(args: Mapping[str, Value], out: TensorVal) -> None:
    """One of the parts that a tensor is divided into."""
    x = args.get("x")
    if isinstance(x, TensorVal) and (x.low == x.high or is_exchangeable(x)):
        _kept(args, out)


def _kept_data(args: Mapping[str, Value], out: TensorVal) -> None:
    x = args.get("x")
    if isinstance(x, TensorVal):
        out.data, out.low, out.high, out.reach = x.data, x.low, x.high, x.reach


_BOUNDS: dict[str, Callable[[Mapping[str, Any], TensorVal], None]] = {
    kind: known
    for kind, known in by_name(
        {
            Trait.TAKES_DATA | Trait.VIEW: _kept_data,
            Trait.TAKES_DATA: _from_data,
            Trait.MAKES_PLACES | Trait.DRAWS_EVENLY: _from_range,
            Trait.MAKES_PLACES | Trait.COUNTS_UP: _from_arange,
            Trait.CONTINUOUS | Trait.COUNTS_UP: _from_linspace,
            Trait.FULL: _filled,
            Trait.OVERWRITES | Trait.PUTS_NUMBER: _refilled,
            Trait.REMAINDER: _remainder,
            Trait.ZEROS: _constant(0),
            Trait.ONES: _constant(1),
            Trait.KEEPS_VALUES: _kept,
            Trait.REPEATS: _kept,
            Trait.SUBSCRIPTS: _chosen,
            Trait.CUTS: _part,
        }
    ).items()
    if kind not in having(Trait.RANKS)  # places stand beside the elements
}


def annotate(kind: str, args: Mapping[str, Value], outputs: list[TensorVal]) -> None:
    """Fill in ``data``, ``low`` and ``high`` of results whose elements are known from the source, as their type holds them."""
    known = _BOUNDS.get(kind)
    if known is not None:
        for out in outputs:
            known(args, out)
            _settle(out)


def _settle(out: TensorVal) -> None:
    """Convert the source's numbers to the tensor's element type; drop those that the type does not determine."""
    dtype = out.dtype
    if not isinstance(dtype, DType):
        out.data = out.low = out.high = None
        return
    if out.data is not None:
        out.data = _held(out.data, dtype)
    if dtype.kind == "bool" and out.low is not None and out.high is not None and out.low <= 0 <= out.high:
        out.low, out.high = 0, int(out.low != out.high)
        return
    ends = [None if end is None else held(end, dtype) for end in (out.low, out.high)]
    if any(found is None for found, end in zip(ends, (out.low, out.high), strict=True) if end is not None):
        ends = [None, None]  # what does not fit wraps around
    out.low, out.high = (None if end is None or isinstance(end, complex) else end for end in ends)


def _held(data: Value, dtype: DType) -> Any:
    """Nested tuples of numbers as elements; ``None`` if one of them is not known."""
    if not isinstance(data, tuple):
        return held(data, dtype) if isinstance(data, (int, float, complex)) else None
    parts = tuple(_held(item, dtype) for item in data)
    return None if None in parts else parts


def forget(journal: Journal, x: TensorVal, value: Any) -> None:
    """``x[index] = value``: what was known of the elements no longer holds; a number widens their bounds.

    Not undone with a branch: knowing less is right on every path.
    """
    journal.note_lasting(x, "data", "reach", "modified", "low", "high")
    x.data, x.reach = None, None
    drawn, x.modified = x.modified or is_exchangeable(x), True  # what was written to before has bounds only if it was drawn
    if x.low is None or x.high is None:
        return
    known = isinstance(value, (int, float)) and (x.low == x.high or drawn)
    number = held(value, x.dtype) if known and isinstance(x.dtype, DType) else None
    if isinstance(number, (int, float)):
        x.low, x.high = min(x.low, number), max(x.high, number)
    else:
        x.low = x.high = None


def either(journal: Journal, x: TensorVal, other: TensorVal) -> None:
    """The place of ``x`` may hold the elements of another tensor instead: only what is known of both of them is known."""
    if x.data == other.data and (x.low, x.high, x.reach) == (other.low, other.high, other.reach):
        return
    journal.note_lasting(x, "data", "reach", "low", "high")
    x.data = x.reach = None
    if x.low is None or x.high is None or other.low is None or other.high is None:
        x.low = x.high = None
    else:
        x.low, x.high = min(x.low, other.low), max(x.high, other.high)
