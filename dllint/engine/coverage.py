"""Coverage: the share of traced tensors with known shapes, the figure beside claims on false alarms, and a guard of fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from dllint.ir.program import Op, Program


@dataclass(slots=True)
class Coverage:
    """Counts over the results of tensor operations. Each operation counts once per traced context.

    ``rank`` counts results whose number of axes is known, or usual (:mod:`dllint.lower.usual_ranks`). ``shape`` counts those
    all of whose sizes are known (sizes of inputs, counts that the data decide, and sizes that follow from known ones without
    a formula, are known by name; what is not modelled is not), ``dtype`` those with a known element type; ``reasons`` counts
    why the others are not. ``gaps`` counts the calls whose result stayed unknown, so that nothing behind them became an
    operation at all.
    """

    operations: int = 0
    rank: int = 0
    shape: int = 0
    dtype: int = 0
    gaps: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Coverage) -> None:
        """Add another count to this one."""
        self.operations += other.operations
        self.rank += other.rank
        self.shape += other.shape
        self.dtype += other.dtype
        self.gaps += other.gaps
        self.reasons.update(other.reasons)

    @property
    def unknown(self) -> int:
        """The facts that are missing: ranks, shapes, types and results of calls."""
        return 3 * self.operations - self.rank - self.shape - self.dtype + self.gaps


def coverage_of(programs: Iterable[Program]) -> Coverage:
    """The coverage of some programs."""
    total = Coverage()
    for program in programs:
        for op in program.ops:
            _count(op, total)
        total.gaps += len(program.gaps)
        for reason, detail, _ in program.gaps:
            total.reasons[f"{reason}: {detail}" if detail else reason] += 1
    return total


def coverage_of_op(op: Op) -> Coverage:
    """The coverage of one operation."""
    found = Coverage()
    _count(op, found)
    return found


def _count(op: Op, total: Coverage) -> None:
    for value in op.outputs:
        total.operations += 1
        shape = value.shape
        if isinstance(shape, Unknown):
            total.reasons[_text(shape)] += 1
        else:
            total.rank += 1
            known = shape_known(shape)
            total.shape += known
            total.reasons.update(() if known else (f"opaque size: {op.kind}",))
        if isinstance(value.dtype, Unknown):
            total.reasons[f"dtype {_text(value.dtype)}"] += 1
        else:
            total.dtype += 1


def _text(unknown: Unknown) -> str:
    return f"{unknown.reason}: {unknown.detail}" if unknown.detail else unknown.reason
