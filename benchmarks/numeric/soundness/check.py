"""One program checked: what its runs made against what is claimed of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from benchmarks.numeric.soundness.execution import MODES, Run, Seen, run
from benchmarks.numeric.soundness.generator import Program
from benchmarks.numeric.soundness.inference import Inferred, infer, is_unknown
from dllint.domains.interval import Interval


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A statement (by the line of its probe) whose result was not in its range."""

    line: int
    kind: str
    found: str
    seen: str


@dataclass(slots=True)
class Verdict:
    """What is found of one program. ``widths`` holds, by kind of operation, how many times wider a range is than the numbers
    that the runs made; ``statements`` has the kinds of all statements, ``unknown`` of those of which nothing is known;
    ``gradients`` counts claims."""

    counter_examples: list[CounterExample] = field(default_factory=list)
    widths: list[tuple[str, float]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    runs: int = 0
    gradients: int = 0


def check(program: Program, seed: int) -> Verdict:
    """Run a program with inputs of every mode and compare."""
    verdict = Verdict()
    try:
        inferred = infer(program)
    except Exception as error:
        verdict.counter_examples.append(CounterExample(0, "crash", repr(error), program.text))
        return verdict
    runs = [run(program, mode, seed) for mode in MODES]
    verdict.runs = len(runs)
    for line, claim in inferred.items():
        verdict.statements.append(claim.kind)
        if not claim.typed or all(map(is_unknown, claim.ranges)):
            verdict.unknown.append(claim.kind)
            continue
        _compare(line, claim, runs, verdict)
        if claim.finite:
            _compare_gradients(line, claim, runs, verdict)
    return verdict


def _compare_gradients(line: int, claim: Inferred, runs: list[Run], verdict: Verdict) -> None:
    """``gradients`` counts those that are claimed to be finite and that a run has computed."""
    finite = [made.gradients[line] for made in runs if made.finished and line in made.gradients]
    verdict.gradients += bool(finite)
    if not all(finite):
        verdict.counter_examples.append(CounterExample(line, claim.kind, "a finite gradient", "one that is not finite"))


def _compare(line: int, claim: Inferred, runs: list[Run], verdict: Verdict) -> None:
    low, high = math.inf, -math.inf
    for made in runs:
        times = made.seen.get(line, [])
        for time, seen in enumerate(times):
            found = claim.at(time, len(times)) if made.finished else claim.at(-1, -1)
            if not holds(found, seen):
                verdict.counter_examples.append(CounterExample(line, claim.kind, str(found), f"[{seen.low!r}, {seen.high!r}]"))
                return
            low, high = min(low, seen.low), max(high, seen.high)
    whole = claim.at(-1, -1)
    if low < high and math.isfinite(whole.high.value - whole.low.value) and math.isfinite(high - low):
        verdict.widths.append((claim.kind, (whole.high.value - whole.low.value) / (high - low)))


def holds(found: Interval, seen: Seen) -> bool:
    """Whether all numbers that were made belong to an interval."""
    if seen.low > seen.high:
        return True
    above = seen.low > found.low.value or (seen.low == found.low.value and (found.low.closed or math.isinf(seen.low)))
    below = seen.high < found.high.value or (seen.high == found.high.value and (found.high.closed or math.isinf(seen.high)))
    return above and below and not (seen.zero and not found.has_zero)
