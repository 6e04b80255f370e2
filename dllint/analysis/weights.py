"""How many trainable numbers a layer has, from the arguments of the operation it performs."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim
from dllint.ir.program import Op
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.layers import layer


def trainable_count(op: Op) -> int | None:
    """The number of trainable elements of the layer that performs an operation; ``None`` if it is not known, or if the
    operation is not one that a layer with plain weights performs."""
    built = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    found = None if built is None else counted(op.kind, {**built.args, **op.args})
    return found if isinstance(found, int) else None


def counted(kind: str, args: Mapping[str, Value]) -> Dim | None:
    """The number of trainable elements of a layer that performs an operation of some kind, which may be symbolic; ``None`` if
    it is not known."""
    count = layer(kind).count
    if count is None:
        return None
    try:
        return count({name: unwrap(value) for name, value in args.items()})
    except (KeyError, TypeError, ZeroDivisionError):  # a size is missing or not known, or there are no groups
        return None
