"""Reductions, positions of extremes, sums along an axis."""

from __future__ import annotations

from typing import Any

from dllint.domains.lattice import Unknown
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.operators.arithmetic import is_whole, kept, typed_as
from dllint.lower.graphs.onnx.registry import axes_of, operator, whole_numbers

_KINDS = {
    "ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "amax", "ReduceMin": "amin", "ReduceProd": "prod",
    "ReduceL2": "norm", "ReduceLogSumExp": "logsumexp",
}  # fmt: skip


@operator(*_KINDS)
def reduced(call: Call, _opset: int) -> Any:
    """Over all axes if none are given."""
    return _over_axes(call, _KINDS[call.node.operator], call.input(0))


@operator("ReduceL1")
def _sum_of_absolutes(call: Call, _opset: int) -> Any:
    return _over_axes(call, "sum", call.emit("abs", x=call.input(0)))


@operator("ReduceSumSquare")
def _sum_of_squares(call: Call, _opset: int) -> Any:
    return _over_axes(call, "sum", call.emit("square", x=call.input(0)))


@operator("ReduceLogSum")
def _log_of_sum(call: Call, _opset: int) -> Any:
    return call.emit("log", x=_over_axes(call, "sum", call.input(0)))


def _over_axes(call: Call, kind: str, x: Value) -> Any:
    axes = axes_of(call, 1)
    if axes == () and call.attribute("noop_with_empty_axes", 0):
        return call.emit("identity", x=x)
    dim = Unknown("computed-axes", call.node.operator) if axes is None else axes or None
    dtype = typed_as(call)
    whole = is_whole(call.input(0))
    out = call.emit(kind, x=x, dim=dim, keepdim=bool(call.attribute("keepdims", 1)), dtype=dtype if whole else None)
    return kept(out, dtype)


@operator("ArgMax", "ArgMin")
def _position(call: Call, _opset: int) -> Any:
    keepdim = bool(call.attribute("keepdims", 1))
    return call.emit(call.node.operator.lower(), x=call.input(0), dim=call.attribute("axis", 0), keepdim=keepdim)


@operator("CumSum", "CumProd")
def _running(call: Call, _opset: int) -> Any:
    axes = whole_numbers(call.elements(1))
    dim = axes[0] if axes else Unknown("computed-axes", call.node.operator)
    return kept(call.emit(call.node.operator.lower(), x=call.input(0), dim=dim), typed_as(call))


@operator("TopK")
def largest(call: Call, _opset: int) -> Any:
    """How many is an attribute up to operator set 9."""
    given = call.attribute("k")
    elements = call.elements(1)
    k = given if given is not None else elements[0] if isinstance(elements, tuple) and len(elements) == 1 else elements
    k = Unknown("computed-size", "TopK") if k is None else k
    return call.emit("topk", x=call.input(0), k=k, dim=call.attribute("axis", -1))


@operator("Softmax", "LogSoftmax")
def softmax(call: Call, opset: int) -> Any:
    """Up to operator set 12 the axes from ``axis`` on are taken as one, and the default is the second."""
    kind = "softmax" if call.node.operator == "Softmax" else "log_softmax"
    x, axis = call.input(0), call.attribute("axis", -1 if opset >= 13 else 1)
    rank = x.type.rank if x is not None else None
    if opset >= 13 or (rank is not None and axis in (-1, rank - 1)):
        return call.emit(kind, x=x, dim=axis)
    if rank is None or x is None or isinstance(x.shape, Unknown):
        return call.emit(kind, x=x, dim=Unknown("unknown-rank", call.node.operator))
    flat = call.emit("flatten", x=x, start_dim=axis, end_dim=-1)
    return call.emit("reshape", x=call.emit(kind, x=flat, dim=-1), shape=x.shape)
