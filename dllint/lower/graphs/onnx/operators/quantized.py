"""Quantisation, and layers on quantised numbers."""

from __future__ import annotations

from typing import Any

from dllint.domains.dtype import FLOAT32, INT32, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.operators.arithmetic import kept
from dllint.lower.graphs.onnx.operators.layers import convolved
from dllint.lower.graphs.onnx.registry import MICROSOFT, operator
from dllint.lower.graphs.onnx.types import dtype_of


@operator("QuantizeLinear")
@operator("QuantizeLinear", domain=MICROSOFT)
def quantize(call: Call, _opset: int) -> Any:
    """The element type is that of the zero point, else the one that is asked for, else bytes."""
    x, zero, asked = call.input(0), call.input(2), call.attribute("output_dtype", 0)
    dtype = zero.dtype if zero is not None else dtype_of(asked) if asked else UINT8
    return None if x is None else _whole(call, x, x.shape, dtype)


def _whole(call: Call, x: TensorVal, shape: Any, dtype: Any) -> TensorVal:
    """Numbers rounded and clipped to the range of an integer type."""
    (out,) = call.produce("quantize", {"x": x}, TensorType(shape, dtype))
    if isinstance(dtype, DType) and dtype.kind == "int":
        bits = dtype.bits - dtype.signed
        out.low, out.high = (-(2.0**bits) if dtype.signed else 0.0), 2.0**bits - 1
    return out


@operator("DequantizeLinear")
@operator("DequantizeLinear", domain=MICROSOFT)
def dequantize(call: Call, _opset: int) -> Any:
    """``(x - zero) * scale``; scales may be one per place of an axis."""
    x, scale, zero = call.input(0), call.input(1), call.input(2)
    if x is None or scale is None:
        return None
    dtype = scale.dtype if isinstance(scale.dtype, DType) else FLOAT32
    number = call.emit("cast", x=x, dtype=dtype)
    if zero is not None:
        shift = call.emit("cast", x=zero, dtype=dtype)
        (number,) = call.produce("sub", {"x": number, "y": shift}, TensorType(x.shape, dtype))
    return call.produce("mul", {"x": number, "y": scale}, TensorType(x.shape, dtype))


@operator("DynamicQuantizeLinear")
def quantize_by_range(call: Call, _opset: int) -> Any:
    """The scale is that of the numbers at hand."""
    x = call.input(0)
    if x is None:
        return None
    rest = call.produce("quantization", {"x": x}, TensorType((), FLOAT32), TensorType((), UINT8))
    return _whole(call, x, x.shape, UINT8), *rest


@operator("ConvInteger")
def _whole_convolution(call: Call, _opset: int) -> Any:
    return kept(convolved(call, call.input(0), call.input(1)), INT32)


@operator("QLinearConv")
def _quantized_convolution(call: Call, _opset: int) -> Any:
    zero = call.input(7)
    out = convolved(call, call.input(0), call.input(3))
    return _requantized(call, out, zero)


@operator("QLinearMatMul")
def _quantized_product(call: Call, _opset: int) -> Any:
    return _requantized(call, call.emit("matmul", x=call.input(0), y=call.input(3)), call.input(7))


def _requantized(call: Call, out: TensorVal, zero: TensorVal | None) -> Any:
    if not isinstance(out, TensorVal):
        return out
    return _whole(call, out, out.shape, zero.dtype if zero is not None else Unknown("missing-operand"))


@operator("MatMulInteger")
def _whole_product(call: Call, _opset: int) -> Any:
    return kept(call.emit("matmul", x=call.input(0), y=call.input(1)), INT32)
