"""The sign that a value has by its construction: squares, exponentials and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import DimExpr, bounds
from dllint.domains.lattice import UnknownFloat, UnknownResult
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.traits import Trait

_NOT_NEGATIVE: Final = having(Trait.NON_NEGATIVE)
#: Operations that keep the sign of every element.
_SAME_SIGN: Final = having(Trait.KEEPS_SIGN)
_DEEPEST: Final = 8
_EVEN: Final = (2, 4, 6)
#: Products and quotients, as operations and as operators of Python.
_PRODUCTS: Final = having_any(Trait.MULTIPLIES | Trait.DIVIDES) | {"truediv"}


def sign(value: object, depth: int = _DEEPEST) -> int:
    """1 if a value is nowhere negative, -1 if it is nowhere positive, 0 if that is not known."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return 1 if value >= 0 else -1
    if isinstance(value, DimExpr):
        low, _ = bounds(value)
        return int(low is not None and low >= 0)
    if isinstance(value, (UnknownResult, UnknownFloat)) and depth:
        return _of_unknown(value, depth - 1)
    op = value.producer if isinstance(value, TensorVal) else None
    if op is None or depth == 0:
        return 0
    if op.kind in _NOT_NEGATIVE:
        return 1
    if op.kind in _SAME_SIGN:
        return sign(op.args.get("x"), depth - 1)
    rule = _BY_KIND.get(op.kind)
    return rule(op, depth - 1) if rule is not None else 0


def _of_unknown(value: UnknownResult | UnknownFloat, depth: int) -> int:
    """What the operator says of a number of which nothing else is known: ``sigma ** 2`` is not negative."""
    x, y = (*value.operands, None, None)[:2]
    if value.operator == "pow":
        return 1 if y in _EVEN else 0
    if value.operator in _PRODUCTS:
        return 1 if x is y else sign(x, depth) * sign(y, depth)
    if value.operator == "add":
        first = sign(x, depth)
        return first if first == sign(y, depth) else 0
    return 0


def _negated(op: Op, depth: int) -> int:
    return -sign(op.args.get("x"), depth)


def _power(op: Op, depth: int) -> int:
    return 1 if op.args.get("y") in _EVEN else 0


def _product(op: Op, depth: int) -> int:
    x, y = op.args.get("x"), op.args.get("y")
    if x is y and does(op, Trait.MULTIPLIES):
        return 1
    first = sign(x, depth)
    return first * sign(y, depth) if first else 0


def _sum(op: Op, depth: int) -> int:
    first = sign(op.args.get("x"), depth)
    return first if first and first == sign(op.args.get("y"), depth) else 0


_BY_KIND: Final[dict[str, Callable[[Op, int], int]]] = by_name(
    {
        Trait.NEGATES: _negated,
        Trait.RAISES: _power,
        Trait.MULTIPLIES: _product,
        Trait.DIVIDES: _product,
        Trait.ADDS: _sum,
    }
)
