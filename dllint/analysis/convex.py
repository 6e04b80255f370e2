"""Means of two tensors with weights that add up to 1: ``w * a + (1 - w) * b``.

Who writes this means weights between 0 and 1, such as labels. Where nothing else is known about them, the sum reaches whatever
the two tensors reach: each of them is the whole of it for one label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dllint.analysis.facts import Facts
from dllint.domains.interval import Interval, Origin
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.ranges.order import same
from dllint.ops.ranges.spec import laid_out
from dllint.ops.traits import Trait


def mean_of_two(op: Op, operand: Value, facts: Facts) -> Interval | None:
    """The range that an operand reaches as a weighted mean of two tensors, if its weight is an input."""
    for weight, a, b in _readings(operand):
        if facts.ranges.at(op, weight).origin is Origin.INPUT:
            return facts.ranges.at(op, a).join(facts.ranges.at(op, b))
    return None


def _readings(value: Value) -> Iterator[tuple[Any, Any, Any]]:
    """Weight and tensors of every way to read a value as such a mean."""
    total = _maker(value, Trait.ADDS)
    products = [_maker(total.args.get(name), Trait.MULTIPLIES) for name in ("x", "y")] if total is not None else []
    for one, other in (products, products[::-1]) if len(products) == 2 else ():
        if one is None or other is None:
            continue
        for weight, a in _factors(one):
            for rest, b in _factors(other):
                if _is_rest(rest, weight):
                    yield weight, a, b


def _maker(value: Value, traits: Trait) -> Op | None:
    maker = laid_out(value).producer if isinstance(value, TensorVal) else None
    return maker if does(maker, traits) else None


def _factors(product: Op) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    x, y = product.args.get("x"), product.args.get("y")
    return (x, y), (y, x)


def _is_rest(value: Value, weight: Value) -> bool:
    """Whether a value is ``1 - weight``."""
    maker = _maker(value, Trait.SUBTRACTS)
    return maker is not None and maker.args.get("x") == 1 and same(maker.args.get("y"), weight)
