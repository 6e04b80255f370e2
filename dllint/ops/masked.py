"""Functions of ``torch.masked``: reductions and functions along an axis, of the elements that a mask leaves."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import differs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.reduce import reduced_shape
from dllint.ops.spec import Call, Flag, Result, known_shape, op

_DTYPE: Final = Unknown("masked", "element type of a result")
_LAYOUT: Final = Unknown("layout", "masked")


@op("masked_reduction")
def masked_reduction(
    call: Call, x: TensorType, dim: Value = None, keepdim: Flag = False, dtype: Value = None, mask: Value = None
) -> Result:
    """A reduction along ``dim``, or of all elements."""
    _check_mask(call, x, mask)
    return TensorType(reduced_shape(call, x, dim, keepdim), _DTYPE, _LAYOUT)


@op("masked_function")
def masked_function(call: Call, x: TensorType, dim: Value = None, dtype: Value = None, mask: Value = None) -> Result:
    """A function along ``dim`` that keeps the shape."""
    _check_mask(call, x, mask)
    call.axis(dim, x)
    return TensorType(x.shape, _DTYPE, _LAYOUT)


def _check_mask(call: Call, x: TensorType, mask: Value) -> None:
    """A mask is a tensor, which is broadcast to the shape of ``x``."""
    if isinstance(mask, (bool, int, float)):
        call.fault(faults.ARGUMENT, operand="mask", actual=mask, detail="a mask is a tensor")
    shape, given = known_shape(x), known_shape(mask)
    if shape is None or given is None:
        return
    if len(given) > len(shape):
        detail = f"the mask has {len(given)} axes, the tensor {len(shape)}"
        call.fault(faults.OPERATOR_SHAPE, operand="mask", shapes=(shape, given), detail=detail)
        return
    _check_sizes(call, shape, given)


def _check_sizes(call: Call, shape: Shape, given: Shape) -> None:
    for axis in range(-len(given), 0):
        if differs(given[axis], shape[axis]) and differs(given[axis], 1):
            call.fault(faults.BROADCAST, operand="mask", axis=axis, expected=shape[axis], actual=given[axis],
                       shapes=(shape, given))  # fmt: skip
            return
