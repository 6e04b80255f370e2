"""Branches and loops, whose nodes stand before (see :mod:`dllint.lower.graphs.onnx.flattening`)."""

from __future__ import annotations

from typing import Any

from dllint.domains.dim import opaque
from dllint.domains.dtype import BOOL, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, join_types
from dllint.ir.program import TensorVal
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.registry import operator


@operator("If")
def branch(call: Call, _opset: int) -> Any:
    """The results of both arms, the first half of the operands behind the condition being those of the first."""
    arms = [call.input(number) for number in range(1, len(call))]
    half = len(arms) // 2
    return tuple(_either(call, x, y) for x, y in zip(arms[:half], arms[half:], strict=False))


def _either(call: Call, x: TensorVal | None, y: TensorVal | None) -> TensorVal | None:
    if x is None or y is None:
        return x if y is None else y
    return call.produce("phi", {"x": x, "y": y}, join_types(x.type, y.type))[0]


@operator("Loop.start")
def loop_start(call: Call, _opset: int) -> Any:
    """The number of the iteration, the condition, and what is carried: at first what the loop is given."""
    types = call.attribute("types")
    number = call.produce("arange", {}, TensorType((), INT64))[0]
    number.low, number.high = 0, 2**63 - 1
    condition = call.produce("condition", {}, TensorType((), BOOL))
    return number, *condition, *_carried(call, types[2:], 2)


def _carried(call: Call, types: list[TensorType], first: int) -> tuple[TensorVal, ...]:
    """Values that each iteration replaces. Their shapes are those that the body declares: they may change."""
    given = (call.input(first + number) for number in range(len(types)))
    pairs = zip(given, types, strict=True)
    return tuple(call.produce("identity", {"x": x} if x is not None else {}, type_)[0] for x, type_ in pairs)


@operator("Scan.start")
def scan_start(call: Call, _opset: int) -> Any:
    """States, and one element of each scanned tensor."""
    types, scanned = call.attribute("types"), int(call.attribute("num_scan_inputs", 0))
    states = len(types) - scanned
    elements: list[TensorVal] = []
    for number in range(states, len(types)):
        x = call.input(number)
        elements += call.produce("getitem", {"x": x, "index": 0} if x is not None else {}, types[number])
    return *_carried(call, types[:states], 0), *elements


@operator("Loop")
def loop(call: Call, _opset: int) -> Any:
    """The values carried out of the last iteration (or the initial ones if there is none), then the stacked outputs of all
    iterations."""
    given = call.attribute("given")
    return _left(call, first=2, given=given, results=given + 1, carried=given - 2)


@operator("Scan")
def scan(call: Call, opset: int) -> Any:
    """The last states, then what each step has left, stacked. In operator set 8 all of them have a batch axis, too."""
    if opset < 9:
        return None
    given = call.attribute("given")
    return _left(call, first=0, given=given, results=given, carried=given - int(call.attribute("num_scan_inputs", 0)))


def _left(call: Call, *, first: int, given: int, results: int, carried: int) -> tuple[Any, ...]:
    starts = call.attribute("starts")
    out: list[Any] = []
    for number in range(carried):
        x, y = call.input(first + number), call.input(results + number)
        start = call.builder.values.get(starts[first + number])
        if start is not None and y is not None:
            call.builder.program.carried[start.id] = [y]
        out.append(_either(call, x, y))
    return *out, *(_stacked(call, call.input(number)) for number in range(results + carried, len(call)))


def _stacked(call: Call, x: TensorVal | None) -> TensorVal | None:
    if x is None:
        return None
    shape = x.shape if isinstance(x.shape, Unknown) else (opaque("iterations"), *x.shape)
    return call.produce("stack", {"tensors": (x,)}, TensorType(shape, x.dtype))[0]
