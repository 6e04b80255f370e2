"""Indices that reach beyond the rows they choose from, by the ranges of their elements.

Indices and labels (DLT116, DLD116) are ranges of whole numbers whose ends are attained (``ops/ranges/indices.py``). No end is
attained for certain if a condition on the source may have excluded it (``conditions.py``). That some element of a tensor is the
largest says nothing about a part of the tensor (``ops/chosen.py``), unless any element may be it and the part is not chosen by
the elements' values. ``TensorVal.reach`` is a symbolic largest element, such as the number of words of a tokenizer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dllint.analysis.facts import Facts
from dllint.analysis.label_kind import is_integer
from dllint.domains.interval import Bound, Interval
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value


@dataclass(frozen=True, slots=True)
class Beyond:
    """The range of some indices, the end of it that lies outside 0 … ``rows`` - 1, and whether all of it does."""

    found: Interval
    bound: Bound
    rows: int
    always: bool


def index_range(op: Op, indices: TensorVal, facts: Facts) -> Interval | None:
    """The range of whole numbers; ``None`` if nothing is known of them or an end is only assumed to be anywhere."""
    if not is_integer(indices):
        return None
    found = facts.ranges.at(op, indices)
    return found if found.known else None


def beyond(op: Op, indices: Value, rows: Value, facts: Facts) -> Beyond | None:
    """How indices leave a table of ``rows`` rows; ``None`` if they are not known to."""
    if not isinstance(rows, int) or rows < 1 or not isinstance(indices, TensorVal):
        return None
    found = index_range(op, indices, facts)
    if found is None:
        return None
    if is_reached(found.high) and found.high.value >= rows:
        return Beyond(found, found.high, rows, found.low.value >= rows)
    if is_reached(found.low) and found.low.value < 0:
        return Beyond(found, found.low, rows, found.high.value < 0)
    return None


def is_reached(end: Bound) -> bool:
    """Whether an end is a number that is known to be reached."""
    return end.known and end.closed and math.isfinite(end.value)
