"""The memory of a tensor seen with a shape and strides that are given (``as_strided``)."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import dims_or_unknown, is_axis_list
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait
from dllint.ops.view import laid_out

_LAYOUT: Final = Unknown("layout", "as_strided")


@op("as_strided", traits=Trait.VIEW | Trait.TELLS_LAYOUT)
def as_strided(
    call: Call, x: TensorType, shape: Value = None, stride: Value = None, offset: Value = None, storage: Value = None
) -> Result:
    """Element i of axis k lies ``i * stride[k]`` elements behind ``offset``. ``storage``: how many elements the memory of ``x``
    has, if that is known."""
    sizes = dims_or_unknown(shape)
    if isinstance(sizes, Unknown) or not is_axis_list(stride):
        return TensorType(sizes, x.dtype, _LAYOUT)
    if len(sizes) != len(stride):
        detail = f"there are {len(stride)} strides for {len(sizes)} axes"
        call.fault(faults.ARGUMENT, operand="stride", actual=stride, detail=detail)
    elif any(step < 0 for step in stride):
        call.fault(faults.ARGUMENT, operand="stride", actual=stride, detail="strides cannot be negative")
    elif is_axis_list(sizes) and isinstance(storage, int) and isinstance(offset, int):
        _check_end(call, sizes, stride, offset, storage)
    return laid_out(x, sizes, _LAYOUT if len(sizes) != len(stride) else stride)


def _check_end(call: Call, sizes: tuple[int, ...], stride: tuple[int, ...], offset: int, storage: int) -> None:
    """The last element lies within the memory."""
    if any(size < 1 for size in sizes):
        return
    end = offset + 1 + sum((size - 1) * step for size, step in zip(sizes, stride, strict=True))
    if end > storage:
        detail = f"the view ends behind element {end} of a memory of {storage} elements"
        call.fault(faults.ARGUMENT, operand="shape", actual=sizes, detail=detail)
