"""Parts of tensors after assignments to some elements: ``x[:, :3] = value``, scatter, index fill."""

from __future__ import annotations

from dllint.domains.dtype import DType
from dllint.domains.interval import Interval
from dllint.domains.lattice import Unknown
from dllint.domains.partition import FULL, Partition, whole
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.operand import is_axis_list
from dllint.ops.ranges.conditions import kept
from dllint.ops.ranges.parts import PartsCall, parts_of
from dllint.ops.ranges.selection import Selection, along, everything, indexed
from dllint.ops.ranges.spec import held_by, shape_of

#: So many positions that are named one by one are followed.
_POSITIONS = 16


@parts_of("setitem")
def _assigned(call: PartsCall) -> Partition | None:
    """The elements that the index takes are those of the value, the others stay."""
    index, shape = _one_item(call.arg("index")), call.shape
    x, value = call.parts(call.arg("x")), _stored(call)
    if _is_mask(index):
        return _masked(call, x, value)
    found = indexed(index, shape) if shape is not None and not call.op.varying else None
    rank = _rank(call.arg("value"))
    if found is None or rank is None or may_overlap(call.arg("x")):
        return x.join(whole(value.smashed))
    return found.put(x, value, rank)


def may_overlap(x: Value) -> bool:
    """Whether two elements of a tensor may share a memory location, so that a write to one changes the other."""
    if not isinstance(x, TensorVal) or not isinstance(x.shape, tuple) or not isinstance(x.type.strides, tuple):
        return isinstance(x, TensorVal) and isinstance(x.type.strides, Unknown)
    if not is_axis_list(x.shape) or not is_axis_list(x.type.strides):
        return False
    reach = 0
    for step, size in sorted((step, size) for step, size in zip(x.type.strides, x.shape, strict=True) if size != 1):
        if step <= reach:
            return True
        reach += step * (size - 1)
    return False


def _stored(call: PartsCall) -> Partition:
    """The parts of the assigned value, rounded to the element type of the tensor."""
    value, dtype = call.arg("value"), call.op.outputs[call.index].dtype
    given = call.parts(value)
    return Partition(given.cuts, tuple(held_by(dtype, call.op.framework, cell, value) for cell in given.cells))


def _held(call: PartsCall, value: Value) -> Interval:
    """The numbers of a value, as the elements of the tensor hold them."""
    dtype = call.op.outputs[call.index].dtype
    return held_by(dtype, call.op.framework, call.parts(value).smashed, value)


def _one_item(index: Value) -> Value:
    return index[0] if isinstance(index, tuple) and len(index) == 1 else index


def _is_mask(index: Value) -> bool:
    dtype = index.dtype if isinstance(index, TensorVal) else None
    return isinstance(dtype, DType) and dtype.kind == "bool"


def _masked(call: PartsCall, x: Partition, value: Partition) -> Partition:
    """``x[x < 0] = value``: where the mask does not hold, its comparison restricts x."""
    target, mask = call.arg("x"), _one_item(call.arg("index"))
    if isinstance(target, TensorVal) and isinstance(mask, TensorVal) and mask.id > call.latest:
        x = Partition(x.cuts, tuple(kept(target, cell, mask, lambda other: call.parts(other).smashed) for cell in x.cells))
    return x.join(whole(value.smashed))


def _rank(value: Value) -> int | None:
    """The number of a value's axes: 0 for a number."""
    shape = shape_of(value)
    return len(shape) if shape is not None else None if isinstance(value, (TensorVal, tuple)) else 0


@parts_of("scatter")
def _scattered(call: PartsCall) -> Partition | None:
    """Some elements between the least and the largest position are those of the source."""
    if call.arg("reduce") is not None:
        return None
    source = call.arg("src") if call.arg("src") is not None else call.arg("value")
    span = _between(call, call.arg("index"))
    x = call.parts(call.arg("x"))
    return None if span is None else span.put(x, whole(_held(call, source)), 0)


def _between(call: PartsCall, index: Value) -> Selection | None:
    """The slices along ``dim`` that may contain the positions."""
    axis, shape = call.axis(), call.shape
    if axis is None or shape is None or not isinstance(index, TensorVal) or call.op.repeated:
        return None
    if index.low is None or index.high is None or index.low < 0:
        return Selection(everything(len(shape)), (None,) * len(shape), exact=False)
    found = along(len(shape), axis, (int(index.low), int(index.high) + 1))
    return Selection(found.region, (None,) * len(shape), exact=False)


@parts_of("index_fill", "index_copy")
def _filled(call: PartsCall) -> Partition | None:
    """Slices at positions, which may be written in numbers."""
    axis, shape, index = call.axis(), call.shape, call.arg("index")
    source = call.arg("src") if call.arg("src") is not None else call.arg("value")
    if axis is None or shape is None or not isinstance(index, TensorVal):
        return None
    found, new = call.parts(call.arg("x")), whole(_held(call, source))
    positions = _positions(index, shape[axis])
    if positions is None or call.op.repeated:
        return found.join(new)
    for position in positions:
        segment = (position, None if position + 1 == shape[axis] else position + 1)
        region = tuple(segment if place == axis else FULL for place in range(len(shape)))
        found = Selection(region, (None,) * len(shape)).put(found, new, 0)
    return found


def _positions(index: TensorVal, size: Value) -> tuple[int, ...] | None:
    """The positions that an index tensor holds, if they are few and written."""
    data = index.data if isinstance(index.data, tuple) else (index.data,)
    positions = tuple(position for position in data if type(position) is int)
    if index.modified or len(data) > _POSITIONS or len(positions) < len(data):
        return None
    if not isinstance(size, int):
        return positions if min(positions) >= 0 else None
    return tuple(place % size for place in positions) if all(-size <= place < size for place in positions) else None
