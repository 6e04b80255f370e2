"""Standardisation by hand: which rows its mean and its standard deviation are taken of."""

from __future__ import annotations

from dataclasses import dataclass

from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait


@dataclass(frozen=True, slots=True)
class Standardised:
    """The two statistics, and the rows of each as text (``0:200``)."""

    mean: Op
    deviation: Op
    parts: tuple[str, str]


def standardised(op: Op) -> Standardised | None:
    """The statistics in ``(x - mean(part)) / std(part)``, if each is taken of a known slice of rows."""
    found = statistics(op)
    if found is None:
        return None
    mean, deviation = found
    rows, spread = _rows(mean), _rows(deviation)
    return Standardised(mean, deviation, (rows, spread)) if rows is not None and spread is not None else None


def statistics(op: Op) -> tuple[Op, Op] | None:
    """The mean and the standard deviation in ``(x - mean) / std``."""
    x, y = op.args.get("x"), op.args.get("y")
    deviation = y.producer if isinstance(y, TensorVal) else None
    if does(deviation, Trait.ADDS) and len(deviation.inputs) == 1:  # a small number that keeps the quotient finite
        deviation = deviation.inputs[0].producer
    centred = x.producer if isinstance(x, TensorVal) else None
    if not does(deviation, Trait.DEVIATION) or not does(centred, Trait.SUBTRACTS):
        return None
    subtracted = centred.args.get("y")
    mean = subtracted.producer if isinstance(subtracted, TensorVal) else None
    if not does(mean, Trait.AVERAGES):
        return None
    return mean, deviation


def _rows(statistic: Op) -> str | None:
    """The slice of the first axis that a statistic is taken of."""
    taken = statistic.args.get("x")
    selection = taken.producer if isinstance(taken, TensorVal) else None
    if not does(selection, Trait.SUBSCRIPTS):
        return None
    index = selection.args.get("index")
    first = index[0] if isinstance(index, tuple) and index else index
    if not isinstance(first, SliceVal) or first.step is not None:
        return None
    start, stop = first.start or 0, first.stop
    return f"{start}:{stop}" if isinstance(start, int) and isinstance(stop, int) else None
