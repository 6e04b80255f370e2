"""Numbers that a program takes out of tensors which it computes of written numbers: ``torch.linspace(0, rate, n).tolist()``.

Constructors compute widths and rates so. The elements are those that ``ops/values/`` computes; what the roundings of a library
leave open is a number between two others. Nothing is known of what is read in a loop of unknown trip count, on the far side
of joined branches, or of tensors that a constructor keeps and another function reads: those may hold something else by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.values.slices import Slice

if TYPE_CHECKING:
    from dllint.domains.enclosure import Enclosure
    from dllint.lower.state import Control

#: So many operations are looked through, and tensors of so many elements.
_DEEPEST: Final = 60
_LARGEST: Final = 4096
_KINDS: Final = frozenset({"float", "int", "bool"})
_CONSTRUCTOR: Final = ".__init__"


def elements(control: Control, reader: str, x: TensorVal) -> Value:
    """The elements as nested tuples of numbers; ``None`` if they are not computed of written numbers alone. ``reader`` is the
    function that asks.

    A float that rounding leaves open is an ``UnknownFloat`` with bounds, a whole number an ``Unknown``."""
    found = _computed(control, reader, x)
    if found is None or not isinstance(x.dtype, DType) or found.low.size > _LARGEST:
        return None
    return _nested(x.dtype.kind, found.low.tolist(), found.high.tolist())


def length(control: Control, reader: str, x: TensorVal) -> int | None:
    """The first size of such a tensor where its elements determine it (``unique``)."""
    found = _computed(control, reader, x)
    return found.shape[0] if found is not None and found.shape else None


def _computed(control: Control, reader: str, x: TensorVal) -> Enclosure | None:
    if control.passes or x.producer is None or not isinstance(x.dtype, DType) or x.dtype.kind not in _KINDS:
        return None
    found = Slice(x, _DEEPEST)
    if found.cut_short or found.leaves or not all(_is_written(op) for op in found.ops):
        return None
    if not _is_at_hand(found, reader):
        return None
    from dllint.ops.values.evaluation import evaluated

    return evaluated(found, {}, {})


def _is_written(op: Op) -> bool:
    """Whether an operation takes known numbers alone, and what it gives has not been changed since."""
    if op.kind == JOIN or op.varying or op.repeated or op.layer is not None or "requires_grad" in op.spelled:
        return False
    if op.args.get("requires_grad") is True:
        return False
    return all(_holds_still(value) and _is_small(value) for value in op.outputs)


def _holds_still(value: TensorVal) -> bool:
    changing = value.modified or value.stale or value.foreign or value.handed or value.varies or value.several
    return not changing and value.stated is None and value.sample is None


def _is_small(value: TensorVal) -> bool:
    shape = value.shape
    if not isinstance(shape, tuple):
        return True  # then its values are not declared, or do not depend on the shape
    count = 1
    for size in shape:
        count *= size if isinstance(size, int) else 1
    return count <= _LARGEST


def _is_at_hand(found: Slice, reader: str) -> bool:
    """Whether no constructor has kept a tensor that another function takes: its buffers may have been loaded since."""
    takers = {id(value): op.scope for op in found.ops for value in op.inputs}
    for op in found.ops:
        for value in op.outputs:
            taker = reader if value is found.value else takers.get(id(value), op.scope)
            if op.scope.endswith(_CONSTRUCTOR) and taker != op.scope:
                return False
    return True


def _nested(kind: str, low: object, high: object) -> Value:
    if isinstance(low, list) and isinstance(high, list):
        return tuple(_nested(kind, a, b) for a, b in zip(low, high, strict=True))
    assert isinstance(low, float)
    assert isinstance(high, float)
    if kind == "float":
        return low if low == high else UnknownFloat("tensor-element", "rounding decides", low=low, high=high)
    if low != high:
        return Unknown("tensor-element", "rounding decides")
    return bool(low) if kind == "bool" else int(low)
