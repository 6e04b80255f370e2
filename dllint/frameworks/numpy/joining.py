"""Joining and taking apart: ``append``, ``insert``, ``delete``, ``column_stack``, ``np.c_``, ``hsplit``."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, opaque
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.array_like import as_array, as_data
from dllint.frameworks.at_least import at_least
from dllint.frameworks.given import given
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, SliceVal, Value, unwrap
from dllint.ops.operand import read_dtype


def array(machine: Machine, value: Value) -> Value:
    """An operand as an array: lists, numbers and pictures are converted."""
    value = as_data(value)
    if isinstance(value, (ListVal, tuple, int, float, UnknownFloat, DimExpr)) and not isinstance(value, bool):
        return machine.emit("array", {"data": value}, framework="numpy", spelled="numpy.asarray")
    return value


def new_array(machine: Machine, shape: Shape | Unknown, dtype: DType | Unknown, like: Value = None) -> TensorVal:
    """An array that no operation makes; with what is known of the elements of another one that it is ``like``."""
    out: TensorVal = machine.tensor(TensorType(shape, dtype), framework="numpy", name="")
    if isinstance(like, TensorVal):
        out.name, out.low, out.high = like.name, like.low, like.high
    return out


def _as_array(name: str) -> Handler:
    spelled = f"numpy.{name}"

    def convert(machine: Machine, _: Value, arguments: Arguments) -> Value:
        options = given("a, dtype=None, order=None, *, device=None, copy=None, like=None", arguments)
        x = as_data(options.get("a"))
        if isinstance(x, (ListVal, tuple, int, float, complex, str)):
            return machine.emit("array", {"data": x, "dtype": options["dtype"]}, framework="numpy", spelled=spelled)
        wanted = options["dtype"]
        same = "clone" if unwrap(options["copy"]) is True else "identity"
        kind = "cast" if wanted is not None and isinstance(x, TensorVal) and _differs(x, wanted) else same
        return machine.emit(kind, {"x": x, "dtype": wanted}, framework="numpy", spelled=spelled)

    def convert_to_row(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        """An array of at least one axis."""
        found = convert(machine, receiver, arguments)
        axes = rank(found)
        if axes == 0:
            return machine.emit("reshape", {"x": found, "shape": (1,)}, framework="numpy", spelled=spelled)
        if axes is None:
            return machine.unknown("unknown-rank", name)
        return machine.emit("contiguous", {"x": found}, framework="numpy", spelled=spelled)

    return convert_to_row if name == "ascontiguousarray" else convert


def _differs(x: TensorVal, wanted: Value) -> bool:
    """Whether an array surely is of another element type than is asked for, so that it is copied."""
    dtype = read_dtype(wanted)
    return isinstance(dtype, DType) and isinstance(x.dtype, DType) and dtype != x.dtype


for _name in ("asarray", "ascontiguousarray"):
    handler(f"numpy.{_name}")(_as_array(_name))


def shape_of(value: Value) -> Shape | None:
    """The shape of an array whose rank is known."""
    return value.shape if isinstance(value, TensorVal) and not isinstance(value.shape, Unknown) else None


def rank(value: Value) -> int | None:
    """The number of axes of an array, if it is known."""
    shape = shape_of(value)
    return None if shape is None else len(shape)


def _flat(machine: Machine, value: Value, spelled: str) -> Value:
    return machine.emit("flatten", {"x": value, "start_dim": 0}, framework="numpy", spelled=spelled)


def _parts(machine: Machine, value: Value) -> tuple[Value, ...] | None:
    value = unwrap(value)
    items = value.items if isinstance(value, ListVal) and value.rest is None else value
    return tuple(array(machine, part) for part in items) if isinstance(items, (list, tuple)) else None


def _cat(machine: Machine, parts: tuple[Value, ...] | None, axis: int, spelled: str) -> Value:
    if parts is None or not all(isinstance(part, TensorVal) for part in parts):
        return machine.unknown("no-tensor", spelled)
    return machine.emit("cat", {"tensors": parts, "dim": axis}, framework="numpy", spelled=spelled)


@handler("numpy.append")
def append(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``append(arr, values, axis=None)``; without an axis both are flattened first."""
    options = given("arr, values, axis=None", arguments)
    parts = tuple(array(machine, options.get(name)) for name in ("arr", "values"))
    axis = options.get("axis")
    if axis is None and all(isinstance(part, TensorVal) for part in parts):
        return _cat(machine, tuple(_flat(machine, part, "numpy.append") for part in parts), 0, "numpy.append")
    return _cat(machine, parts, axis, "numpy.append") if isinstance(axis, int) else machine.unknown("no-argument", "axis")


def _register_at_least(wanted: int) -> None:
    spelled = f"numpy.atleast_{wanted}d"

    @handler(spelled)
    def widened(machine: Machine, _: Value, arguments: Arguments) -> Value:
        found = tuple(at_least(machine, array(machine, value), wanted, spelled) for value in arguments.args)
        return found[0] if len(found) == 1 else found


for _wanted in (1, 2, 3):
    _register_at_least(_wanted)


def _columns(machine: Machine, parts: tuple[Value, ...] | None, spelled: str, axis: int) -> Value:
    """Vectors as columns, side by side."""
    tall = []
    for part in parts or ():
        vector = at_least(machine, part, 1, spelled)
        is_vector = rank(vector) == 1
        column = machine.emit("unsqueeze", {"x": vector, "dim": 1}, framework="numpy", spelled=spelled) if is_vector else vector
        tall.append(column)
    return _cat(machine, tuple(tall), axis, spelled) if parts else machine.unknown("no-tensor", spelled)


@handler("numpy.column_stack")
def column_stack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``column_stack(tup)``."""
    return _columns(machine, _parts(machine, given("tup", arguments).get("tup")), "numpy.column_stack", 1)


@handler("numpy.dstack")
def dstack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``dstack(tup)``: joined along the third axis."""
    parts = _parts(machine, given("tup", arguments).get("tup"))
    return _cat(
        machine, tuple(at_least(machine, part, 3, "numpy.dstack") for part in parts) if parts else None, 2, "numpy.dstack"
    )


@handler("numpy.c_.__getitem__")
def side_by_side(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``np.c_[a, b]``."""
    return _columns(machine, _indexed(machine, arguments), "numpy.c_", -1)


@handler("numpy.r_.__getitem__")
def end_to_end(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``np.r_[a, b]``; ranges among the parts are not followed."""
    parts = _indexed(machine, arguments)
    return _cat(machine, tuple(at_least(machine, part, 1, "numpy.r_") for part in parts) if parts else None, 0, "numpy.r_")


def _indexed(machine: Machine, arguments: Arguments) -> tuple[Value, ...] | None:
    key = arguments.positional(0)
    parts = key if isinstance(key, tuple) else (key,)
    return None if any(isinstance(part, (SliceVal, str)) for part in parts) else _parts(machine, parts)


def _resized(machine: Machine, x: Value, axis: Value, change: int | None, spelled: str) -> Value:
    """``x`` with ``change`` more places on an axis (``None``: any number); flattened first if there is no axis."""
    if axis is None and isinstance(x, TensorVal):
        x, axis = _flat(machine, x, spelled), 0
    sizes = shape_of(x)
    if not isinstance(x, TensorVal) or sizes is None or not isinstance(axis, int) or not -len(sizes) <= axis < len(sizes):
        return machine.unknown("no-tensor", spelled)
    size: Dim = opaque("rows") if change is None else sizes[axis] + change
    size = max(size, 0) if isinstance(size, int) else size
    shape = tuple(size if place == axis % len(sizes) else old for place, old in enumerate(sizes))
    return machine.tensor(TensorType(shape, x.dtype), framework="numpy", name=x.name)


def _count(machine: Machine, value: Value) -> int | None:
    """How many places an index names."""
    value = as_array(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return 1
    parts = _parts(machine, value) if isinstance(value, (ListVal, tuple)) else None
    return None if parts is None else len(parts)


@handler("numpy.delete")
def delete(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``delete(arr, obj, axis=None)``."""
    options = given("arr, obj, axis=None", arguments)
    count = _count(machine, options.get("obj"))
    change = None if count is None else -count
    return _resized(machine, array(machine, options.get("arr")), options.get("axis"), change, "numpy.delete")


@handler("numpy.insert")
def insert(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``insert(arr, obj, values, axis=None)``."""
    options = given("arr, obj, values, axis=None", arguments)
    change = 1 if isinstance(options.get("obj"), int) and isinstance(options.get("values"), (int, float)) else None
    return _resized(machine, array(machine, options.get("arr")), options.get("axis"), change, "numpy.insert")


@handler("numpy.meshgrid")
def meshgrid(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``meshgrid(*vectors, copy=True, sparse=False, indexing="xy")``."""
    indexing = unwrap(arguments.kwargs.get("indexing", "xy"))
    if arguments.star is not None or unwrap(arguments.kwargs.get("sparse", False)) is not False:
        return machine.unknown("no-argument", "meshgrid")
    vectors = tuple(array(machine, part) for part in arguments.args)
    order = indexing if indexing in ("xy", "ij") else Unknown("no-argument", "indexing")
    return machine.emit("meshgrid", {"tensors": vectors, "indexing": order}, framework="numpy", spelled="numpy.meshgrid")


@handler("numpy.diff")
def diff(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``diff(a, n=1, axis=-1)``: each difference takes one place."""
    options = given("a, n=1, axis=-1", arguments)
    times = options.get("n")
    change = -times if isinstance(times, int) else None
    return _resized(machine, array(machine, options.get("a")), options.get("axis"), change, "numpy.diff")


_SPLITS: Final = {"hsplit": 1, "vsplit": 0, "dsplit": 2}


def _split(name: str, axis: int) -> Handler:
    def split(machine: Machine, _: Value, arguments: Arguments) -> Value:
        options = given("ary, indices_or_sections", arguments)
        x = array(machine, options.get("ary"))
        args = {"x": x, "sections": options.get("indices_or_sections"), "dim": 0 if rank(x) == 1 else axis}
        return machine.emit("split", args, framework="numpy", spelled=f"numpy.{name}")

    return split


for _name, _axis in _SPLITS.items():
    handler(f"numpy.{_name}")(_split(_name, _axis))
