"""Layers: convolutions, pooling, matrix products, recurrent layers, attention."""

from __future__ import annotations

from typing import Any

from dllint.domains.dim import add, floordiv, is_known, mul
from dllint.domains.dtype import INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.registry import MICROSOFT, operator
from dllint.ops.spec import apply

_SAME = ("SAME_UPPER", "SAME_LOWER")


@operator("Conv")
def convolution(call: Call, _opset: int) -> Any:
    """The kernel is (out, in / groups, *window)."""
    return convolved(call, call.input(0), call.input(1), call.input(2))


def convolved(call: Call, x: Value, weight: Value, bias: Value = None) -> Any:
    """A convolution with the attributes of a node."""
    kernel, groups = _kernel(call, weight), call.attribute("group", 1)
    return call.emit("conv", x=x, weight=weight, bias=bias, kernel_size=kernel, groups=groups, **_sliding(call, x, kernel))


@operator("ConvTranspose")
def transposed_convolution(call: Call, _opset: int) -> Any:
    """The kernel is (in, out / groups, *window)."""
    x, weight = call.input(0), call.input(1)
    kernel, given = _kernel(call, weight), call.attribute("output_shape")
    arguments = _sliding(call, x, kernel) | {"groups": call.attribute("group", 1), "kernel_size": kernel}
    if call.attribute("auto_pad") in _SAME or given is not None:
        arguments |= {"padding": 0, "output_size": given or _grown(call, x)}
    extra = call.attribute("output_padding")
    return call.emit("conv_transpose", x=x, weight=weight, bias=call.input(2), output_padding=extra, **arguments)


def _grown(call: Call, x: TensorVal | None) -> Any:
    """The output sizes of a transposed convolution with ``SAME`` padding: sizes times strides."""
    strides = call.attribute("strides")
    if x is None or isinstance(x.shape, Unknown):
        return Unknown("unknown-rank", "ConvTranspose")
    return tuple(mul(size, (strides or (1,) * len(x.shape))[n]) for n, size in enumerate(x.shape[2:]))


def _kernel(call: Call, weight: Value) -> Any:
    given = call.attribute("kernel_shape")
    if given is None and isinstance(weight, TensorVal) and not isinstance(weight.shape, Unknown):
        return weight.shape[2:]
    return Unknown("unknown-rank", call.node.operator) if given is None else given


def _sliding(call: Call, x: Value, kernel: Value) -> dict[str, Any]:
    """The attributes of a window in the terms of the canonical operations."""
    count = len(kernel) if isinstance(kernel, tuple) else None
    strides, dilations = call.attribute("strides", 1), call.attribute("dilations", 1)
    padding = _padding(call, x, kernel, _each(strides, count), _each(dilations, count))
    return {"stride": strides, "padding": padding, "dilation": dilations, "spatial": count}


def _each(value: Value, count: int | None) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,) * (count or 0)


def _padding(call: Call, x: Any, kernel: Any, strides: tuple[Any, ...], dilations: tuple[Any, ...]) -> Any:
    """A pair per axis; for ``SAME`` as much as the sizes of the input need."""
    auto, pads = call.attribute("auto_pad", "NOTSET"), call.attribute("pads")
    if auto not in _SAME:
        half = len(pads) // 2 if pads and auto != "VALID" else 0
        return tuple((pads[n], pads[half + n]) for n in range(half)) if half else 0
    if not isinstance(kernel, tuple) or not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
        return Unknown("computed-padding", call.node.operator)
    moving = zip(x.shape[2:], kernel, strides, dilations, strict=True)
    totals = [_needed(*each) for each in moving]
    if any(total is None for total in totals):
        return Unknown("computed-padding", call.node.operator)
    upper = auto == "SAME_UPPER"
    return tuple((t // 2, t - t // 2) if upper else (t - t // 2, t // 2) for t in totals if t is not None)


def _needed(size: Value, kernel: TensorVal, stride: Value, dilation: int) -> int | None:
    """The padding on both sides for which the number of windows is the size divided by the stride, rounded up."""
    if not isinstance(kernel, int):
        return None
    extent = dilation * (kernel - 1) + 1
    if stride == 1:
        return extent - 1
    return max((-(-size // int(stride)) - 1) * int(stride) + extent - size, 0) if isinstance(size, int) else None


@operator("MaxPool", "AveragePool", "LpPool")
def pooled(call: Call, _opset: int) -> Any:
    """Where the padding depends on a size that is not known, the result has one position per stride."""
    x, kernel = call.input(0), call.attribute("kernel_shape", Unknown("no-argument", "kernel_shape"))
    sliding = _sliding(call, x, kernel)
    kind = {"MaxPool": "max_pool", "AveragePool": "avg_pool", "LpPool": "lp_pool"}[call.node.operator]
    if isinstance(sliding["padding"], Unknown):
        return call.produce(kind, {"x": x}, TensorType(_strided(x, sliding["stride"]), _dtype(x)))
    arguments = dict(sliding, ceil_mode=bool(call.attribute("ceil_mode", 0)))
    if kind != "max_pool" and (call.attribute("dilations") or kind == "lp_pool"):
        return call.produce(kind, {"x": x}, _moved(x, kernel, arguments))
    if kind != "max_pool":
        arguments.pop("dilation")
    out = call.emit(kind, x=x, kernel_size=kernel, **arguments)
    if len(call.node.outputs) < 2 or not isinstance(out, TensorVal):
        return out
    return out, *call.produce("max_pool_positions", {"x": x}, TensorType(out.shape, INT64))


def _moved(x: Any, kernel: Any, arguments: dict[str, Any]) -> TensorType:
    """The result type of an operation with a sliding window, whatever the operation computes."""
    given = {"x": x.type, "kernel_size": kernel, **arguments}
    result = apply("max_pool", "torch", {name: value for name, value in given.items() if value is not None}).result
    return result if isinstance(result, TensorType) else TensorType(Unknown("computed-shape", "pool"), _dtype(x))


def _strided(x: Value, strides: Value) -> Any:
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
        return Unknown("unknown-rank", "pool")
    steps = _each(strides, len(x.shape) - 2)
    return (*x.shape[:2], *(floordiv(add(size, step - 1), step) for size, step in zip(x.shape[2:], steps, strict=True)))


def _dtype(x: Value) -> Any:
    return x.dtype if isinstance(x, TensorVal) else Unknown("missing-operand")


@operator("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def _global_pool(call: Call, _opset: int) -> Any:
    x = call.input(0)
    if x is None or isinstance(x.shape, Unknown):
        return call.produce("global_pool", {"x": x}, TensorType(Unknown("unknown-rank", "global_pool"), _dtype(x)))
    dim = tuple(range(2, len(x.shape)))
    kind = {"GlobalAveragePool": "mean", "GlobalMaxPool": "amax", "GlobalLpPool": "norm"}[call.node.operator]
    return call.emit(kind, x=x, dim=dim, keepdim=True)


@operator("Gemm")
@operator("FusedGemm", domain=MICROSOFT)
def general_product(call: Call, _opset: int) -> Any:
    """``alpha * A' * B' + beta * C``; a fully connected layer where nothing but B is transposed."""
    x, weight, summand = call.input(0), call.input(1), call.input(2)
    turned = bool(call.attribute("transA", 0)), bool(call.attribute("transB", 0))
    scales = call.attribute("alpha", 1.0), call.attribute("beta", 1.0)
    if turned == (False, True) and scales == (1.0, 1.0) and weight is not None and weight.producer is not None:
        return call.emit("linear", x=x, weight=weight, bias=summand)
    out = call.emit("matmul", x=x, y=weight, transpose_a=turned[0], transpose_b=turned[1])
    if scales[0] != 1.0:
        out = call.emit("mul", x=out, y=scales[0])
    if summand is None:
        return out
    return call.emit("add", x=out, y=summand if scales[1] == 1.0 else call.emit("mul", x=summand, y=scales[1]))


@operator("FusedMatMul", domain=MICROSOFT)
def _fused_product(call: Call, _opset: int) -> Any:
    out = call.emit(
        "matmul", x=call.input(0), y=call.input(1), transpose_a=bool(call.attribute("transA", 0)),
        transpose_b=bool(call.attribute("transB", 0)),
    )  # fmt: skip
    return out if call.attribute("alpha", 1.0) == 1.0 else call.emit("mul", x=out, y=call.attribute("alpha"))


@operator("RNN", "LSTM", "GRU")
def recurrent(call: Call, _opset: int) -> Any:
    """All outputs, (time, directions, batch, hidden), and the last states; with ``layout`` 1 the batch comes first."""
    x, weight = call.input(0), call.input(1)
    shape = x.shape if x is not None and isinstance(x.shape, tuple) and len(x.shape) == 3 else None
    rows = weight.shape if weight is not None and isinstance(weight.shape, tuple) and len(weight.shape) == 3 else None
    gates = {"RNN": 1, "LSTM": 4, "GRU": 3}[call.node.operator]
    hidden = call.attribute("hidden_size") or (floordiv(rows[1], gates) if rows is not None else None)
    if shape is None or hidden is None or not is_known(hidden):
        return Unknown("unknown-rank", call.node.operator)
    directions = 2 if call.attribute("direction", "forward") == "bidirectional" else 1
    first = call.attribute("layout", 0) == 1
    steps, batch = (shape[1], shape[0]) if first else shape[:2]
    out = (batch, steps, directions, hidden) if first else (steps, directions, batch, hidden)
    state = (batch, directions, hidden) if first else (directions, batch, hidden)
    types = (TensorType(each, _dtype(x)) for each in (out, state, state)[: len(call.node.outputs)])
    return call.produce("rnn", {"x": x, "kind": call.node.operator.lower(), "hidden_size": hidden}, *types)


@operator("Attention")
def attention(call: Call, _opset: int) -> Any:
    """Only the form with an axis of heads; else nothing is known."""
    query, key, value = (call.input(n) for n in range(3))
    if any(each is None or each.type.rank != 4 for each in (query, key, value)):
        return None
    return call.emit("scaled_dot_product_attention", query=query, key=key, value=value, enable_gqa=True)
