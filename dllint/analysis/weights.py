"""How many trainable numbers a layer has, from the arguments of the operation it performs."""

from __future__ import annotations

from dllint.ir.program import Op
from dllint.ir.values import InstanceVal, unwrap
from dllint.ops.layers import layer


def trainable_count(op: Op) -> int | None:
    """The number of trainable elements of the layer that performs an operation; ``None`` if it is not known, or if the
    operation is not one that a layer with plain weights performs."""
    count = layer(op.kind).count
    built = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    if count is None or built is None:
        return None
    args = {name: unwrap(value) for name, value in {**built.args, **op.args}.items()}
    try:
        return count(args)
    except (KeyError, TypeError, ZeroDivisionError):  # a size is missing or a symbol, or there are no groups
        return None
