"""What backward passes of torch need: the operands and results that an operation keeps until it has been differentiated.

A tensor that is kept must not be changed in place before that, which raises, and is given up by it, so that a second backward
pass raises. ``tests/ops/test_saved.py`` asks torch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait

#: Operations that keep ``x`` for the gradients of their weights.
_WEIGHTED: Final = having(Trait.AFFINE | Trait.LEARNED)
#: Operations that keep each factor for the gradient of the other one.
_PRODUCTS: Final = having_any(Trait.MULTIPLIES | Trait.MATRIX_PRODUCT)
#: Operations that keep something else: places, masks, what they compute on the way.
_OTHERWISE: Final = having_any(
    Trait.EMBEDS | Trait.DROPS | Trait.STANDARDISES | Trait.RETURNS_STATE | Trait.CLASS_LOSS | Trait.MULTIPLIES | Trait.DIVIDES
)


def keeps(op: Op) -> Iterator[tuple[TensorVal, TensorVal | None]]:
    """The tensors that an operation of torch keeps, each with the one that has to require gradients for that (``None``: any
    of its operands, or its weights)."""
    x, y = op.args.get("x"), op.args.get("y")
    if does(op, Trait.NEEDS_RESULT):
        yield op.output, None
    if isinstance(x, TensorVal) and (does(op, Trait.NEEDS_OPERAND) or (op.kind in _WEIGHTED and op.layer is not None)):
        yield x, None
    if op.kind in _WEIGHTED and op.layer is None:
        yield from _pairs(x, op.args.get("weight"))
    elif op.kind in _PRODUCTS:
        yield from (*_pairs(x, y), *_pairs(y, x))
    elif does(op, Trait.DIVIDES):
        yield from (*_pairs(y, x), *_pairs(x, y))


def gives_up(op: Op) -> bool:
    """Whether an operation that is differentiated gives up something, so that it cannot be differentiated again."""
    return op.kind in _OTHERWISE or next(keeps(op), None) is not None


def _pairs(kept: Value, other: Value) -> Iterator[tuple[TensorVal, TensorVal | None]]:
    if isinstance(kept, TensorVal) and isinstance(other, TensorVal):
        yield kept, other
