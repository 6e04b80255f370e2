"""Selecting: ``df["y"]``, ``df[["a", "b"]]``, ``df[mask]``, ``iloc``, ``loc``; storing columns."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.frameworks.array_like import ARRAY, as_array
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.frameworks.pandas.frame import (
    FRAME,
    SERIES,
    Names,
    array_of,
    holds_objects,
    labels,
    names_of,
    number,
    of_objects,
    replace,
    resized,
    shape_of,
    wrapped,
)  # fmt: skip
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, InstanceVal, LibSymbol, ListVal, SliceVal, Value, unwrap

POSITIONS: Final = "pandas.iloc"
LABELS: Final = "pandas.loc"
_AXES: Final = ("rows", "columns")
LIBRARY_BASES.update({FRAME: (), SERIES: (), POSITIONS: (), LABELS: ()})


def _indexer(name: str, kind: str) -> None:
    for owner in (FRAME, SERIES):
        prop(f"{owner}.{name}")(lambda machine, one: InstanceVal(LibSymbol(kind), {"of": one}, site=machine.site))


for _name, _kind in (("iloc", POSITIONS), ("iat", POSITIONS), ("loc", LABELS), ("at", LABELS), ("ix", LABELS)):
    _indexer(_name, _kind)


@handler(f"{FRAME}.__getitem__")
def select(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """A column by its name, columns by their names, rows by a mask or slice."""
    array, shape, key = array_of(frame), shape_of(frame), arguments.positional(0)
    if array is None:
        return machine.unknown("unknown-data", "column")
    if isinstance(key, SliceVal):
        return _by_position(machine, frame, (key,))
    if isinstance(as_array(key), TensorVal):
        return wrapped(machine, resized(array, (number("rows"), *shape[1:])), names_of(frame))
    if (names := labels(key)) is not None and not isinstance(key, tuple):
        return wrapped(machine, resized(array, (shape[0], len(names))), _all_texts(names))
    if isinstance(unwrap(key), ListVal):
        return wrapped(machine, resized(array, (shape[0], number("columns"))))
    if isinstance(key, (str, int)):
        return wrapped(machine, resized(array, (shape[0],)))
    return machine.unknown("unknown-data", "column")


def _all_texts(names: tuple[Value, ...]) -> Names:
    return tuple(map(str, names)) if all(isinstance(name, str) for name in names) else None


@handler(f"{FRAME}.__setitem__")
def store(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """``df["name"] = values``: a new column if there is none of the name; columns that are not known may gain one."""
    array, shape, key = array_of(frame), shape_of(frame), arguments.positional(0)
    names, mixed = names_of(frame), _mixed(frame, arguments.positional(1))
    if array is None or not isinstance(frame, InstanceVal) or len(shape) != 2:
        return None
    if names is not None and isinstance(key, str):
        more = names if key in names else (*names, key)
        replace(machine, frame, wrapped(machine, resized(array, (shape[0], len(more)), mixed), more))
    elif names is None or isinstance(as_array(key), TensorVal) is False:
        replace(machine, frame, wrapped(machine, resized(array, (shape[0], number("columns")), mixed)))
    return None


def _mixed(frame: Value, stored: Value) -> Unknown:
    """The element type of a table with another column: cells of a list, or of what is not known, may be lists or arrays."""
    plain = isinstance(stored, (str, int, float, Assumed)) or (
        isinstance(as_array(stored), TensorVal) and not holds_objects(stored)
    )
    return Unknown("unknown-data", "column") if plain and not holds_objects(frame) else of_objects("column")


@handler(f"{SERIES}.__getitem__")
def element(machine: Machine, series: Value, arguments: Arguments) -> Value:
    """Rows by a mask or slice, or one element."""
    array, key = array_of(series), arguments.positional(0)
    if array is None:
        return machine.unknown("unknown-data", "element")
    if isinstance(key, SliceVal):
        return _by_position(machine, series, (key,))
    if isinstance(as_array(key), TensorVal):
        return wrapped(machine, resized(array, (number("rows"),)))
    return Unknown("unknown-data", "element")


@handler(f"{POSITIONS}.__getitem__", on=InstanceVal)
def by_position(machine: Machine, indexer: InstanceVal, arguments: Arguments) -> Value:
    """``iloc``: positions as in numpy."""
    key = arguments.positional(0)
    return _by_position(machine, indexer.own("of"), key if isinstance(key, tuple) else (key,))


def _by_position(machine: Machine, owner: Value, key: tuple[Value, ...]) -> Value:
    array = array_of(owner)
    if array is None:
        return machine.unknown("unknown-data", "iloc")
    index = tuple(as_array(unwrap(part)) for part in key)
    if sum(not isinstance(part, (SliceVal, int)) for part in index) > 1:
        return _by_lists(machine, array, index)
    picked = machine.emit("getitem", {"x": array, "index": index}, framework="numpy", spelled="pandas.iloc")
    rows_only = len(index) == 1 and not isinstance(index[0], int)
    return wrapped(machine, picked, names_of(owner) if rows_only else None)


def _by_lists(machine: Machine, array: TensorVal, index: tuple[Value, ...]) -> Value:
    """Lists on both axes select a block, not single elements as in numpy."""
    sizes = [_number_of(part, axis) for axis, part in enumerate(index)]
    return _block(machine, array, sizes, "iloc")


def _block(machine: Machine, array: TensorVal, sizes: list[Dim | Unknown | None], indexer: str) -> Value:
    """The selection along each axis: an element if that is one label or position everywhere."""
    kept = [size for size in sizes if size is not None]
    known = tuple(size for size in kept if not isinstance(size, Unknown))
    if len(known) != len(kept):
        return machine.unknown("unknown-data", indexer)
    return wrapped(machine, resized(array, known)) if known else Unknown("unknown-data", "element")


@handler(f"{LABELS}.__getitem__", on=InstanceVal)
def by_label(machine: Machine, indexer: InstanceVal, arguments: Arguments) -> Value:
    """``loc``: rows and columns by label; a slice of labels has an unknown number of members."""
    owner, key = indexer.own("of"), arguments.positional(0)
    parts = key if isinstance(key, tuple) else (key,)
    array, shape = array_of(owner), shape_of(owner)
    if array is None or len(parts) > len(shape):
        return machine.unknown("unknown-data", "loc")
    sizes = [_selected(unwrap(part), shape[axis], axis, names_of(owner)) for axis, part in enumerate(parts)]
    return _block(machine, array, [*sizes, *shape[len(parts) :]], "loc")


def _selected(part: Value, size: Dim, axis: int, names: Names) -> Dim | Unknown | None:
    """How many labels a part of an index selects; ``None`` if it is one label, which removes the axis."""
    if isinstance(part, SliceVal):
        ends = tuple(unwrap(end) for end in (part.start, part.stop))
        if ends == (None, None):
            return size
        if axis == 1 and names is not None and part.step is None:
            first = names.index(ends[0]) if ends[0] in names else 0
            last = names.index(ends[1]) + 1 if ends[1] in names else len(names)
            return max(last - first, 0)
        return number(_AXES[axis])
    return _number_of(part, axis)


def _number_of(part: Value, axis: int) -> Dim | Unknown | None:
    """How many rows or columns a list, a mask or a single label or position is for."""
    part = unwrap(part)
    if (found := labels(part)) is not None:
        return len(found)
    if isinstance(part, ListVal):
        return number(_AXES[axis])
    if isinstance(array := as_array(part), TensorVal):
        known = not isinstance(array.shape, Unknown)
        return number(_AXES[axis]) if known and array.shape else None if known else Unknown("unknown-data", "label")
    return None if isinstance(part, (str, int, float)) else Unknown("unknown-data", "label")


@handler(f"{LABELS}.__setitem__", f"{POSITIONS}.__setitem__", on=InstanceVal)
def store_part(machine: Machine, indexer: InstanceVal, arguments: Arguments) -> Value:
    """Changes elements; ``loc`` may add rows and columns of new names."""
    owner = indexer.own("of")
    array, shape = array_of(owner), shape_of(owner)
    if array is not None and isinstance(owner, InstanceVal):
        sizes = shape if indexer.cls == LibSymbol(POSITIONS) else tuple(number("rows") for _ in shape)
        machine.write(owner.state, ARRAY, resized(array, sizes, _mixed(owner, arguments.positional(1))))
    return None
