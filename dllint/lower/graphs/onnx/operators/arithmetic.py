"""Operations by element."""

from __future__ import annotations

from functools import reduce
from typing import Any

from dllint.domains.dtype import BOOL, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import vector
from dllint.lower.graphs.onnx.registry import MICROSOFT, operator
from dllint.lower.graphs.onnx.types import dtype_of


def is_whole(value: Value) -> bool:
    """Whether elements are whole numbers."""
    dtype = value.dtype if isinstance(value, TensorVal) else None
    return isinstance(dtype, DType) and dtype.kind == "int"


def kept(value: Value, dtype: Value) -> Any:
    """The result with the element type that ONNX specifies, where libraries would promote."""
    if isinstance(value, TensorVal) and isinstance(dtype, DType):
        value.type = value.type.with_dtype(dtype)
    return value


def typed_as(call: Call, number: int = 0) -> Any:
    """The element type of an operand."""
    value = call.input(number)
    return None if value is None else value.dtype


@operator("Div")
def divide(call: Call, _opset: int) -> Any:
    """Of whole numbers: what is behind the point is cut off."""
    if not is_whole(call.input(0)):
        return kept(call.emit("div", x=call.operand(0), y=call.operand(1)), typed_as(call))
    out = call.emit("floor_divide", x=call.input(0), y=call.input(1))
    if any(isinstance(each, int) and each < 0 for each in vector(call.elements(0)) or ()):
        call.builder.elements.pop(out.id, None)  # rounded up, here
    return kept(out, typed_as(call))


@operator("Pow")
def _power(call: Call, _opset: int) -> Any:
    return kept(call.emit("pow", x=call.operand(0), y=call.operand(1)), typed_as(call))


@operator("Mod")
def _remainder(call: Call, _opset: int) -> Any:
    return call.emit("fmod" if call.attribute("fmod", 0) else "mod", x=call.operand(0), y=call.operand(1))


@operator("Max", "Min", "Sum")
def folded(call: Call, _opset: int) -> Any:
    """Of any number of operands."""
    kind = {"Max": "maximum", "Min": "minimum", "Sum": "add"}[call.node.operator]
    operands = [call.operand(n) for n in range(len(call))]
    if len(operands) == 1:
        return call.emit("identity", x=call.input(0))
    return reduce(lambda x, y: call.emit(kind, x=x, y=y), operands)


@operator("Mean")
def averaged(call: Call, opset: int) -> Any:
    """The mean of several tensors, element by element."""
    total = reduce(lambda x, y: call.emit("add", x=x, y=y), call.tensors())
    return call.emit("div", x=total, y=float(len(call)))


@operator("Clip")
def clipped(call: Call, _opset: int) -> Any:
    """The limits are attributes up to operator set 10, operands later."""
    low, high = call.attribute("min", call.operand(1)), call.attribute("max", call.operand(2))
    return call.emit("clamp", x=call.input(0), min=low, max=high)


@operator("LeakyRelu")
def _leaky(call: Call, _opset: int) -> Any:
    return call.emit("leaky_relu", x=call.input(0), negative_slope=call.attribute("alpha", 0.01))


@operator("ThresholdedRelu")
def _thresholded(call: Call, _opset: int) -> Any:
    return call.emit("threshold", x=call.input(0), threshold=call.attribute("alpha", 1.0), value=0.0)


@operator("HardSigmoid")
def _hard_sigmoid(call: Call, _opset: int) -> Any:
    return call.emit("clamp", x=_affine(call, call.attribute("alpha", 0.2), call.attribute("beta", 0.5)), min=0.0, max=1.0)


def _affine(call: Call, factor: float, summand: float) -> Any:
    return call.emit("add", x=call.emit("mul", x=call.input(0), y=factor), y=summand)


@operator("Gelu")
@operator("Gelu", "FastGelu", "BiasGelu", "QuickGelu", domain=MICROSOFT)
def _gelu(call: Call, _opset: int) -> Any:
    biased = call.emit("add", x=call.input(0), y=call.input(1)) if call.input(1) is not None else call.input(0)
    return call.emit("gelu", x=biased)


@operator("Swish")
def _swish(call: Call, _opset: int) -> Any:
    return call.emit("silu", x=call.input(0)) if call.attribute("alpha", 1.0) == 1.0 else None


@operator("PRelu")
def parametric(call: Call, _opset: int) -> Any:
    """The slope may be anything that broadcasts."""
    x = call.input(0)
    below = call.emit("mul", x=call.input(1), y=call.emit("clamp", x=x, max=0.0))
    return call.emit("add", x=call.emit("relu", x=x), y=below)


@operator("Shrink")
def _shrunk(call: Call, _opset: int) -> Any:
    return call.emit("softshrink" if call.attribute("bias", 0.0) else "hardshrink", x=call.input(0))


@operator("Dropout")
def dropout(call: Call, _opset: int) -> Any:
    """Does nothing unless the model is still trained; the second result is the mask."""
    x = call.input(0)
    out = call.emit("dropout", x=x, p=call.attribute("ratio", 0.5), training=False)
    if len(call.node.outputs) < 2 or x is None:
        return out
    return out, *call.produce("ones_like", {"x": x}, TensorType(x.type.shape, BOOL))


@operator("Cast", "CastLike")
def _cast(call: Call, _opset: int) -> Any:
    dtype = typed_as(call, 1) if call.node.operator == "CastLike" else dtype_of(call.attribute("to", 0))
    return call.emit("cast", x=call.input(0), dtype=dtype)


@operator("BitShift")
def _shifted(call: Call, _opset: int) -> Any:
    x = call.input(0)
    return (
        call.produce("shift", {"x": x, "y": call.input(1)}, x.type) if x is not None else Unknown("missing-operand", "BitShift")
    )
