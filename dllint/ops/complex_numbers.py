"""Complex numbers, made of two real ones and taken apart."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands, combined_layout
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import floating, real_type
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait
from dllint.ops.view import LAID_OUT, elementwise_layout

_WHOLE: Final = {FLOAT32: COMPLEX64, FLOAT64: COMPLEX128}


def of_parts(call: Call, x: TensorType, y: TensorType) -> Result:
    """The complex numbers with these real and imaginary parts, or these magnitudes and angles: both of one type."""
    left, right = as_tensor(call, x), as_tensor(call, y)
    shape = broadcast_operands(call, left, right)
    known = isinstance(left.dtype, DType) and isinstance(right.dtype, DType)
    if known and call.framework in ("torch", "tensorflow") and left.dtype != right.dtype:
        call.fault(faults.DTYPE, operand="y", expected=left.dtype, actual=right.dtype)
    dtype = _WHOLE.get(left.dtype) if isinstance(left.dtype, DType) else None
    found = dtype if dtype is not None else Unknown("dtype", "of complex numbers")
    return TensorType(shape, found, combined_layout(call, shape, left, right))


for _name in ("complex_of_parts", "polar"):
    op(_name, traits=Trait.POINTWISE)(of_parts)


@op("real_part", traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.VIEW | Trait.NUMPY_VIEW | Trait.GIVES_BACK)
def real_part(call: Call, x: TensorType) -> Result:
    """The real parts; of real numbers, the numbers."""
    given = as_tensor(call, x)
    if isinstance(given.dtype, DType) and given.dtype.kind != "complex":
        return given
    return TensorType(given.shape, real_type(given.dtype), _apart(call))


@op("imaginary_part", traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.VIEW)
def imaginary_part(call: Call, x: TensorType) -> Result:
    """The imaginary parts. torch has none of real numbers."""
    given = as_tensor(call, x)
    if call.framework == "torch" and isinstance(given.dtype, DType) and given.dtype.kind != "complex":
        call.fault(faults.DTYPE, operand="x", expected=COMPLEX64, actual=given.dtype)
    return TensorType(given.shape, real_type(given.dtype), _apart(call))


def _apart(call: Call) -> Unknown | None:
    """Parts lie in the memory of the whole numbers, with those of the other kind between them."""
    return Unknown("layout", "parts of complex numbers") if call.framework in LAID_OUT else None


@op("angle", traits=Trait.KEEPS_SHAPE | Trait.POINTWISE)
def angle(call: Call, x: TensorType) -> Result:
    """The angles of complex numbers; of real numbers, 0 or pi."""
    given = as_tensor(call, x)
    return TensorType(given.shape, floating(call, TensorType((), real_type(given.dtype))), elementwise_layout(given))
