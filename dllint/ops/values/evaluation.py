"""The elements that operations compute of known ones: along a slice of a program, for each way in which branches may have gone.

Nothing of the analysed code is executed: the operations are ours (:mod:`dllint.ops.values`), on numbers that the source has
written, or that somebody chooses for what is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice, product

from dllint.domains.dim import DimExpr
from dllint.domains.enclosure import Enclosure, UndeterminedError
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ops.values import all as _declarations  # noqa: F401  (importing it declares what operations compute)
from dllint.ops.values.slices import Slice
from dllint.ops.values.spec import ValueCall, computed


def alternatives(found: Slice, most: int) -> list[Enclosure]:
    """The elements of a slice's value, once per way in which its joined branches may have gone; none if they are not known, or
    there are too many ways."""
    joins = [op for op in found.ops if op.kind == JOIN]
    if 2 ** len(joins) > most:
        return []
    ways = islice(product(("x", "y"), repeat=len(joins)), most)
    results = [evaluated(found, {}, dict(zip(map(id, joins), way, strict=True))) for way in ways]
    return [result for result in results if result is not None] if all(result is not None for result in results) else []


def evaluated(
    found: Slice,
    known: dict[int, Enclosure],
    arms: Mapping[int, str],
    size: Callable[[DimExpr], int] | None = None,
) -> Enclosure | None:
    """The elements of a slice's value. ``known`` holds those of its leaves by their ``id``, and gets those of all that is
    computed; ``arms`` tells which arms its joins come from."""
    try:
        for op in found.ops:
            perform(op, known, arms, size or _no_size)
        return known[found.value.id]
    except (UndeterminedError, KeyError):
        return None


def perform(op: Op, known: dict[int, Enclosure], arms: Mapping[int, str], size: Callable[[DimExpr], int]) -> None:
    """Note the elements of an operation's results. Raises UndeterminedError."""
    if op.kind == JOIN:
        chosen = op.args[arms[id(op)]]
        if not isinstance(chosen, TensorVal):
            raise UndeterminedError("a number on one path")
        known[op.output.id] = known[chosen.id]
        return
    results = computed(ValueCall(op, lambda value: known[value.id], size))
    for value, result in zip(op.outputs, results, strict=False):
        known[value.id] = result


def _no_size(size: DimExpr) -> int:
    raise UndeterminedError("a size that is not known")
