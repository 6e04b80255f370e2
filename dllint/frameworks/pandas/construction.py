"""Tables and columns made of arrays, lists and dicts, and tables put together."""

from __future__ import annotations

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import BOOL, INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import as_array
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.pandas.frame import (
    FRAME,
    SERIES,
    Names,
    array_of,
    labels,
    names_of,
    number,
    of_objects,
    resized,
    shape_of,
    wrapped,
)
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, Value


@handler(FRAME)
def frame(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``DataFrame(data, columns=…)`` of an array, a dict of columns, or a list of rows."""
    options = given("data=None, index=None, columns=None, dtype=None, copy=None", arguments)
    data, names = options.get("data"), _texts(options.get("columns"))
    if isinstance(data, DictVal) and data.rest is None:
        return _of_columns(machine, data, names)
    array = as_array(data)
    if isinstance(array, (ListVal, tuple)):
        array = machine.emit("array", {"data": array}, framework="numpy", spelled=FRAME)
    if not isinstance(array, TensorVal) or isinstance(array.shape, Unknown):
        return _of_anything(machine, names)
    if len(array.shape) == 1:
        array = machine.emit("unsqueeze", {"x": array, "dim": 1}, framework="numpy", spelled=FRAME)
    return wrapped(machine, array, names if names is not None else names_of(data))


def _of_anything(machine: Machine, names: Names) -> Value:
    """A table of data that is not known: whatever it is made of, it has rows and columns."""
    width = number("columns") if names is None else len(names)
    type_ = TensorType((number("rows"), width), of_objects("DataFrame"))
    return wrapped(machine, machine.tensor(type_, framework="numpy", name="table"), names)


def _of_columns(machine: Machine, data: DictVal, names: Names) -> Value:
    keys = names or _texts(tuple(data.items))
    if keys is None:
        return _of_anything(machine, None)
    arrays = (as_array(value) for value in data.items.values())
    rows = next((length for array in arrays if (length := _length(array)) is not None), counted("rows", 1))
    args: dict[str, Value] = {"shape": (rows, len(keys)), "dtype": of_objects("columns")}
    return wrapped(machine, machine.emit("stored_data", args, framework="numpy", spelled=FRAME), keys)


def _length(array: Value) -> Dim | None:
    if isinstance(array, ListVal):
        return len(array.items) if array.rest is None else None
    if isinstance(array, TensorVal) and not isinstance(array.shape, Unknown) and array.shape:
        size: Dim = array.shape[0]
        return size
    return len(array) if isinstance(array, tuple) else None


def _texts(value: Value) -> Names:
    found = labels(value)
    return tuple(map(str, found)) if found and all(isinstance(name, str) for name in found) else None


@handler(SERIES)
def series(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Series(data)`` of an array or list."""
    data = as_array(given("data=None, index=None, dtype=None, name=None", arguments).get("data"))
    if isinstance(data, (ListVal, tuple)):
        data = machine.emit("array", {"data": data}, framework="numpy", spelled=SERIES)
    if isinstance(data, TensorVal) and not isinstance(data.shape, Unknown):
        return wrapped(machine, data)
    type_ = TensorType((number("rows"),), of_objects("Series"))
    return wrapped(machine, machine.tensor(type_, framework="numpy", name="column"))


@handler("pandas.concat")
def concat(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Tables one below the other, or side by side (``axis=1``). Rows and columns are matched by label, so that sizes of the
    other axis are those of the first table only if all agree."""
    options = given("objs, axis=0, join='outer', ignore_index=False, keys=None", arguments)
    parts, axis = labels(options.get("objs")), options.get("axis")
    shapes = [shape_of(part) for part in parts or ()]
    if not parts or axis not in (0, 1, "index", "columns") or not all(shapes):
        return machine.unknown("unknown-data", "concat")
    along_columns = axis in (1, "columns")
    widths = [shape[1] if len(shape) == 2 else 1 for shape in shapes]
    first = array_of(parts[0])
    assert first is not None
    if along_columns:
        return wrapped(machine, resized(first, (shapes[0][0], sum(widths)), Unknown("unknown-data", "concat")))
    rows: Dim = sum(shape[0] for shape in shapes)
    columns = (widths[0] if all(width == widths[0] for width in widths) else number("columns"),)
    whole = resized(first, (rows, *(columns if len(shapes[0]) == 2 else ())))
    return wrapped(machine, whole, names_of(parts[0]))


@handler("pandas.get_dummies")
def get_dummies(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One column of truth values per class."""
    data = given("data, prefix=None, columns=None", arguments).get("data")
    array, shape = array_of(data), shape_of(data)
    if array is None or not shape:
        return machine.unknown("unknown-data", "get_dummies")
    if len(shape) == 2:
        return wrapped(machine, resized(array, (shape[0], number("columns")), Unknown("unknown-data", "dummies")))
    classes = int(array.high) + 1 if array.low == 0 and array.high is not None else counted("classes", 1)
    indices = resized(array, shape, INT32)
    spelled = "pandas.get_dummies"
    one_hot = machine.emit("one_hot", {"x": indices, "num_classes": classes}, framework="numpy", spelled=spelled)
    return wrapped(machine, machine.emit("cast", {"x": one_hot, "dtype": BOOL}, framework="numpy", spelled=spelled))


@handler("pandas.factorize")
def factorize(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Class indices, and the classes."""
    values = as_array(arguments.args[0]) if arguments.args else None
    if not isinstance(values, TensorVal):
        return machine.unknown("unknown-data", "factorize"), machine.unknown("unknown-data", "classes")
    codes = machine.emit("class_indices", {"x": values}, framework="numpy", spelled="pandas.factorize")
    return codes, machine.unknown("unknown-data", "classes")


@handler("pandas.to_numeric", "pandas.to_datetime")
def converted(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The same column in another type."""
    value = arguments.args[0] if arguments.args else None
    array = array_of(value)
    if array is None or not isinstance(value, InstanceVal):
        return machine.unknown("unknown-data", "to_numeric")
    return wrapped(machine, resized(array, shape_of(value), Unknown("unknown-data", "to_numeric")))
