"""What the analysis says of a program: the range of what each statement makes."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Final

from benchmarks.numeric.soundness.generator import Program
from benchmarks.numeric.soundness.gradients import bounded_gradients
from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.domains.dtype import DType
from dllint.domains.interval import Interval
from dllint.engine.session import Session
from dllint.ir.program import Op, TensorVal
from dllint.source.document import Document

_PATH: Final = Path("/random/program.py")


@dataclass(frozen=True, slots=True)
class Inferred:
    """The ranges of what a statement makes, one per time that it is traced, the operation that makes it, and whether the
    gradient that comes back to it is claimed to be finite. ``typed``: whether its element type is known (otherwise a range
    rests on the framework's usual one)."""

    ranges: tuple[Interval, ...]
    kind: str
    finite: bool = False
    typed: bool = True

    def at(self, time: int, times: int) -> Interval:
        """The range for one of so many executions: the one traced for it, or what holds for all."""
        return self.ranges[time] if len(self.ranges) == times else reduce(Interval.join, self.ranges)


def infer(program: Program) -> dict[int, Inferred]:
    """The ranges by the line number of the probe. What is not traced is left out."""
    document = Document.from_text(_PATH, program.text)
    traced = Session(Configuration(isolated=True)).analyser(_PATH).analyse(document).programs[0]
    facts = Facts(traced)
    bounded = bounded_gradients(facts)
    probes = {number for number, (_, name) in enumerate(program.probed(), start=1) if name is not None}
    by_line: dict[int, list[Op]] = defaultdict(list)
    for op in traced.ops:
        if op.kind == "add" and op.args.get("y") == 0 and op.site.document is document:
            line = document.span(op.site.statement, op.site.node).first.line
            if line in probes:
                by_line[line].append(op)
    return {
        line: Inferred(
            tuple(facts.ranges.of(op.output) for op in ops),
            _maker(ops[-1]),
            all(_probed(op) in bounded for op in ops),
            all(isinstance(op.output.dtype, DType) for op in ops),
        )
        for line, ops in by_line.items()
    }


def _probed(probe: Op) -> int:
    value = probe.args.get("x")
    return value.id if isinstance(value, TensorVal) else 0


def _maker(probe: Op) -> str:
    """The kind of the operation that has made what a probe looks at."""
    value = probe.args.get("x")
    maker = value.producer if isinstance(value, TensorVal) else None
    return maker.kind if maker is not None else "unknown"


def is_unknown(found: Interval) -> bool:
    """Whether nothing at all is said."""
    return not found.known and math.isinf(found.low.value) and math.isinf(found.high.value)
