"""``python -m benchmarks.numeric.soundness``: random programs against the ranges inferred for them."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from typing import Any

from benchmarks.numeric.soundness.check import Verdict, check
from benchmarks.numeric.soundness.generator import generate
from benchmarks.numeric.soundness.minimise import minimised
from benchmarks.results import write


def main() -> int:
    """Check programs and write the figures; the exit status is 1 if there are counter-examples."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.numeric.soundness", description=__doc__)
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others follow")
    parser.add_argument("--show", type=int, default=10, help="how many counter-examples are made small and printed")
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    tally = Tally()
    for number in range(options.programs):
        seed = options.seed + number
        verdict = check(generate(seed), seed)
        if verdict.counter_examples and tally.shown < options.show:
            tally.shown += 1
            print(f"\nseed {seed}: {verdict.counter_examples[0]}\n{minimised(generate(seed), seed).text}", flush=True)
        tally.add(verdict)
        if sys.stderr.isatty() or number % 1000 == 999:
            shown = f"\r{number + 1} programs, {tally.counter_examples} counter-examples, {tally.seconds:.0f} s"
            print(shown, end="", file=sys.stderr, flush=True)
    figures = {"programs": options.programs, "seed": options.seed, **tally.figures()}
    print("\n", figures)
    if not options.no_write:
        print(f"written: {write('numeric-soundness', figures).name}")
    return 1 if tally.counter_examples else 0


class Tally:
    """The sum of many verdicts."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._widths: dict[str, list[float]] = defaultdict(list)
        self._unknown: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self.shown = 0
        self.counter_examples = 0

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return time.perf_counter() - self._start

    def add(self, verdict: Verdict) -> None:
        """Count a program."""
        for kind, width in verdict.widths:
            self._widths[kind].append(width)
        self._unknown.update(verdict.unknown)
        self._counts.update(statements=verdict.statements, runs=verdict.runs, gradients=verdict.gradients)
        self.counter_examples += len(verdict.counter_examples)

    def figures(self) -> dict[str, Any]:
        """What the result file says. ``tightness``: the median, by kind, of how many times wider a range is than what the runs
        made, and of how many statements."""
        every = [width for widths in self._widths.values() for width in widths]
        return {
            "counter_examples": self.counter_examples,
            "seconds": round(self.seconds),
            "runs": self._counts["runs"],
            "statements": self._counts["statements"],
            "gradients_claimed_finite": self._counts["gradients"],
            "unknown_share": round(self._unknown.total() / max(self._counts["statements"], 1), 4),
            "unknown_by_kind": dict(self._unknown.most_common(25)),
            "median_width_ratio": round(statistics.median(every), 3) if every else None,
            "tightness": {
                kind: {"median": round(statistics.median(widths), 3), "statements": len(widths)}
                for kind, widths in sorted(self._widths.items(), key=lambda item: -len(item[1]))
            },
        }


if __name__ == "__main__":
    sys.exit(main())
