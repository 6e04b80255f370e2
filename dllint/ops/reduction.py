"""Common parts of torch's losses: the reduction, element types, and comparing prediction and target."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import differs
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.spec import Call

#: Ways to reduce a loss; one of them is an old name.
_REDUCTIONS: Final = ("mean", "sum", "none", "batchmean", "elementwise_mean")


def reduced(call: Call, each: Shape | Unknown, dtype: DType | Unknown, reduction: Value) -> TensorType:
    """The loss: a scalar for ``mean`` and ``sum``, one value per element for ``none``. What the mean of numbers other than
    floating-point ones is made of is not followed."""
    if call.framework == "torch" and isinstance(reduction, str) and reduction not in _REDUCTIONS:
        detail = f"it is `mean`, `sum` or `none`, not `{reduction}`"
        call.fault(faults.ARGUMENT, operand="reduction", actual=reduction, detail=detail)
    if isinstance(dtype, DType) and dtype.kind != "float":
        dtype = Unknown("no-argument", "element type")
    if isinstance(reduction, Unknown):
        return TensorType(reduction, dtype)
    return TensorType(each if reduction == "none" else (), dtype)


def target_shape(call: Call, x: Shape, target: Shape, expected: Value, detail: str) -> None:
    """Record a target of the wrong shape."""
    call.fault(faults.TARGET_SHAPE, operand="target", expected=expected, actual=target, shapes=(x, target), detail=detail)


def target_dtype(call: Call, target: TensorType, expected: DType, detail: str) -> None:
    """Record a target of the wrong element type."""
    shapes = () if isinstance(target.shape, Unknown) else (target.shape,)
    call.fault(faults.TARGET_DTYPE, operand="target", expected=expected, actual=target.dtype, shapes=shapes, detail=detail)


def check_floating(call: Call, x: TensorType) -> None:
    """Record a prediction whose elements are whole numbers or truth values."""
    if kind_of(x) in ("int", "bool"):
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype)


def different(a: Shape, b: Shape) -> bool:
    """Whether two shapes provably differ."""
    return len(a) != len(b) or any(differs(p, q) for p, q in zip(a, b, strict=True))


def check_same_shape(call: Call, x: Shape, target: Shape) -> None:
    """Record a target that provably has not the prediction's shape, for losses that demand it."""
    if different(x, target):
        target_shape(call, x, target, x, f"the target must have the prediction's shape {show_shape(x)}")


def kind_of(x: TensorType) -> str:
    """The kind of the element type, ``""`` if unknown."""
    return x.dtype.kind if isinstance(x.dtype, DType) else ""
