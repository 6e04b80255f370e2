"""Figures of many checked programs."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from typing import Any

from benchmarks.numeric.soundness.check import Verdict


class Tally:
    """The sum of many verdicts."""

    def __init__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.process_time()
        self._widths: dict[str, list[float]] = defaultdict(list)
        self._unknown: Counter[str] = Counter()
        self._statements: Counter[str] = Counter()
        self._runs = self._gradients = 0
        self.programs = 0
        self.counter_examples = 0
        #: The seeds of the programs that have counter-examples.
        self.failed: list[int] = []

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return time.perf_counter() - self._wall

    def add(self, seed: int, verdict: Verdict) -> None:
        """Count a program."""
        self.programs += 1
        for kind, width in verdict.widths:
            self._widths[kind].append(width)
        self._unknown.update(verdict.unknown)
        self._statements.update(verdict.statements)
        self._runs += verdict.runs
        self._gradients += verdict.gradients
        self.counter_examples += len(verdict.counter_examples)
        if verdict.counter_examples:
            self.failed.append(seed)

    def figures(self) -> dict[str, Any]:
        """What the result file says. ``operations`` has, by kind, the number of statements, the share of them of which nothing
        is known, and the median of how many times wider a range is than what the runs made (where both are finite)."""
        every = [width for widths in self._widths.values() for width in widths]
        total = self._statements.total()
        return {
            "programs": self.programs,
            "counter_examples": self.counter_examples,
            "seeds_with_counter_examples": self.failed,
            "seconds": round(self.seconds),
            "cpu_seconds": round(time.process_time() - self._own),
            "runs": self._runs,
            "statements": total,
            "gradients_claimed_finite": self._gradients,
            "unknown_share": round(self._unknown.total() / max(total, 1), 4),
            "median_width_ratio": _median(every),
            "operations": {
                kind: {
                    "statements": count,
                    "unknown_share": round(self._unknown[kind] / count, 3),
                    "median_width_ratio": _median(self._widths[kind]),
                }
                for kind, count in self._statements.most_common()
            },
        }


def _median(widths: list[float]) -> float | None:
    return round(statistics.median(widths), 3) if widths else None
