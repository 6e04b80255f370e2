"""Operations on tensors of unknown rank whose last size is known or becomes known."""

from __future__ import annotations

from dllint.domains.dim import Dim, differs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenShape, TensorType, last_size
from dllint.ops import faults
from dllint.ops.spec import Call


def through_last_axis(call: Call, x: TensorType, declared: Dim | None, operand: str, out: Dim | None) -> Unknown:
    """The shape after an operation that takes ``declared`` features on the last axis and leaves ``out`` (the same number
    if ``None``), whatever the rank is. A provable mismatch is a ``feature-size`` fault on axis -1."""
    last = last_size(x.shape)
    if declared is not None and last is not None and differs(last, declared):
        call.fault(faults.FEATURE_SIZE, operand=operand, axis=-1, expected=declared, actual=last)
    reason = x.shape if isinstance(x.shape, Unknown) else Unknown("unknown-rank", call.kind)
    found = out if out is not None else declared if declared is not None else last
    return Unknown(reason.reason, reason.detail) if found is None else OpenShape(reason.reason, reason.detail, found)
