"""Operations that pick elements and put them back."""

from __future__ import annotations

from typing import Any

from dllint.domains.dtype import INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import vector
from dllint.lower.graphs.onnx.registry import operator
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: What ends that mean "to the end" exceed.
_FAR = 2**31 - 1


@operator("Gather")
def gather(call: Call, _opset: int) -> Any:
    """Whole parts of the first operand, along one axis: rows of a table that the model holds, or of any tensor. Negative
    indices count from the end."""
    table, index = call.input(0), call.input(1)
    if _is_table(table) and call.attribute("axis", 0) == 0 and index is not None and (index.low is None or index.low >= 0):
        return call.emit("embedding", x=index, weight=table)
    return call.emit("take", x=call.input(0), index=call.input(1), dim=call.attribute("axis", 0))


def _is_table(value: TensorVal | None) -> bool:
    return value is not None and does(value.producer, Trait.TAKES_DATA) and value.type.rank == 2


@operator("GatherElements")
def _gather_elements(call: Call, _opset: int) -> Any:
    return call.emit("gather", x=call.input(0), dim=call.attribute("axis", 0), index=call.input(1))


@operator("GatherND")
def _gather_nd(call: Call, _opset: int) -> Any:
    if call.attribute("batch_dims", 0):
        return call.produce("take", {"x": call.input(0)}, TensorType(Unknown("batch-dims", "GatherND"), typed(call.input(0))))
    return call.emit("gather_nd", x=call.input(0), index=call.input(1))


def typed(x: TensorVal | None) -> Any:
    """The element type of an operand."""
    return Unknown("missing-operand") if x is None else x.dtype


@operator("Scatter", "ScatterElements", "ScatterND")
def scatter(call: Call, _opset: int) -> Any:
    """A copy of the first operand in which some elements are replaced by those of the third."""
    x, src = call.input(0), call.input(2)
    if x is None or src is None:
        return None
    if call.attribute("reduction", "none") != "none":
        return call.produce("scatter_reduce", {"x": x, "index": call.input(1), "src": src}, x.type)
    return call.produce("phi", {"x": x, "y": src}, x.type)


@operator("Slice")
def slice_(call: Call, _opset: int) -> Any:
    """Bounds are attributes up to operator set 9, operands later."""
    x = call.input(0)
    starts = call.attribute("starts") or vector(call.elements(1))
    ends = call.attribute("ends") or vector(call.elements(2))
    axes = call.attribute("axes") or (vector(call.elements(3)) if call.input(3) is not None else None)
    steps = vector(call.elements(4)) if call.input(4) is not None else None
    if x is None or isinstance(x.shape, Unknown) or starts is None or ends is None:
        return _cut_somewhere(call, x, axes)
    axes = tuple(range(len(starts))) if axes is None else axes
    steps = (1,) * len(starts) if steps is None else steps
    index: list[Any] = [SliceVal(None, None, None)] * len(x.shape)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        index[axis % len(x.shape)] = _bounds(start, end, step)
    return call.emit("getitem", x=x, index=tuple(index))


def _bounds(start: Value, end: Value, step: Value) -> SliceVal:
    """Bounds as Python has them: what lies far outside stands for the end."""
    first = None if isinstance(start, int) and abs(start) >= _FAR else start
    last = None if isinstance(end, int) and abs(end) >= _FAR else end
    return SliceVal(first, last, step)


def _cut_somewhere(call: Call, x: TensorVal | None, axes: Value) -> Any:
    return call.produce("getitem", {"x": x, "index": ...}, TensorType(Unknown("computed-shape", "Slice"), typed(x)))


@operator("NegativeLogLikelihoodLoss")
def _nll(call: Call, _opset: int) -> Any:
    reduction = call.attribute("reduction", "mean")
    return call.emit("nll_loss", x=call.input(0), target=call.input(1), weight=call.input(2), reduction=reduction)


@operator("SoftmaxCrossEntropyLoss")
def cross_entropy(call: Call, _opset: int) -> Any:
    """The second result is the logarithm of the softmax."""
    x, reduction = call.input(0), call.attribute("reduction", "mean")
    loss = call.emit("cross_entropy", x=x, target=call.input(1), weight=call.input(2), reduction=reduction)
    return (loss, call.emit("log_softmax", x=x, dim=1)) if len(call.node.outputs) > 1 else loss


@operator("SequenceLength")
def _length(call: Call, _opset: int) -> Any:
    return call.produce("sequence_length", {}, TensorType((), INT64))
