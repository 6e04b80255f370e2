"""``dllint check`` in this process, and how much was known about what it traced.

python -m benchmarks.wild.traced SECONDS COUNTS check [OPTIONS] [PATHS]

Runs the command line that follows ``COUNTS`` as ``python -m dllint`` would, for at most so many seconds of CPU time, and
writes to the file ``COUNTS`` what the programs hold that were traced on the way: operations with known rank, shape and type,
calls that were given up, meanings of operations that raised, and the same by distinct place in the source.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.wild.no_tensors import library_without_tensors
from dllint.cli import main
from dllint.engine.analysis import Traced
from dllint.engine.coverage import Coverage, coverage_of, coverage_of_op
from dllint.engine.tracing import Tracer
from dllint.ir.program import Op, Program, Site
from dllint.source.document import Document

#: The reason of Unknown where the meaning of an operation raised: a defect of dllint, whose user is not told.
FAILED: Final = "op-failed: "

Place = tuple[str, int]


@dataclass(slots=True)
class Counts:
    """What was known about the operations of all programs that were traced.

    ``places`` has, by place of a tensor operation in the source, whether its rank, shape and type were known every time it was
    traced; ``given_up`` the places of calls whose result stayed unknown, with the reason, and ``no_tensors`` those whose result
    is no tensor, with the library by which that is known. ``failed`` counts operations whose meaning raised or gave what is no
    type, by what went wrong: defects of dllint.
    """

    coverage: Coverage = field(default_factory=Coverage)
    failed: Counter[str] = field(default_factory=Counter)
    places: dict[Place, tuple[bool, bool, bool]] = field(default_factory=dict)
    given_up: dict[Place, str] = field(default_factory=dict)
    no_tensors: dict[Place, str] = field(default_factory=dict)

    def add(self, programs: Iterable[Program]) -> None:
        """Count some programs, too."""
        spans = Spans()
        for program in programs:
            self._add(coverage_of([Program(program.entry, gaps=program.gaps)]))
            for op in program.ops:
                facts = self._count(op)
                if (place := spans.place(op.site)) is not None:
                    before = self.places.get(place, (True, True, True))
                    self.places[place] = tuple(map(bool.__and__, before, facts))  # type: ignore[assignment]
            for reason, callee, site in program.gaps:
                if site is not None and (place := spans.place(site)) is not None:
                    self._give_up(place, reason, callee)

    def _give_up(self, place: Place, reason: str, callee: str) -> None:
        if (library := library_without_tensors(callee)) is not None:
            self.no_tensors.setdefault(place, library)
        else:
            self.given_up.setdefault(place, f"{reason}: {callee}")

    def _count(self, op: Op) -> tuple[bool, bool, bool]:
        """Whether the ranks, the shapes and the element types of all results of an operation are known."""
        try:
            found = coverage_of_op(op)
        except (AttributeError, TypeError) as error:
            self.failed[f"{op.kind}: result without a type: {error}"] += 1
            found = Coverage(operations=len(op.outputs))
        self._add(found)
        return tuple(count == found.operations for count in (found.rank, found.shape, found.dtype))  # type: ignore[return-value]

    def _add(self, found: Coverage) -> None:
        self.coverage.add(found)
        causes = {reason.removeprefix("dtype "): count for reason, count in found.reasons.items()}
        failed = {reason.removeprefix(FAILED): count for reason, count in causes.items() if reason.startswith(FAILED)}
        self.failed.update(failed)

    def figures(self) -> dict[str, object]:
        """The counts, for JSON."""
        reasons = self.coverage.reasons
        ranks, shapes, dtypes = (sum(facts[index] for facts in self.places.values()) for index in range(3))
        gaps = [reason for place, reason in self.given_up.items() if place not in self.places]
        no_tensors = [self.no_tensors[place] for place in self.no_tensors.keys() - self.given_up.keys() - self.places.keys()]
        counted = {name: getattr(self.coverage, name) for name in ("operations", "rank", "shape", "dtype", "gaps")}
        return counted | {
            "op_failed": dict(self.failed.most_common()),
            "reasons": dict(reasons.most_common(40)),
            "places": {"operations": len(self.places), "rank": ranks, "shape": shapes, "dtype": dtypes}
            | {
                "gaps": len(gaps),
                "reasons of gaps": dict(Counter(gaps).most_common(40)),
                "no tensors": dict(Counter(no_tensors)),
            },
        }


class Spans:
    """The places of sites; each is looked up once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, Place | None]] = {}

    def place(self, site: Site) -> Place | None:
        """The file and the offset at which a site stands, if its document holds it."""
        if id(site.node) not in self._known:
            self._known[id(site.node)] = (site.node, self._looked_up(site))
        return self._known[id(site.node)][1]

    def _looked_up(self, site: Site) -> Place | None:
        try:
            return str(site.document.path.absolute()), site.document.span(site.statement, site.node).start
        except LookupError:
            return None


def count_traces(counts: Counts) -> None:
    """From now on count what any tracer of this process traces for a check; texts that are only tried do not count."""
    trace = Tracer.trace

    def counting(tracer: Tracer, document: Document) -> Traced:
        traced = trace(tracer, document)
        counts.add(traced.programs)
        return traced

    Tracer.trace = counting  # type: ignore[method-assign]


def run(out: Path, arguments: list[str]) -> int:
    """Run a command line of dllint, as :func:`dllint.cli.main.main` does, and write the counts; the exit status."""
    counts = Counts()
    count_traces(counts)
    gc.disable()
    status = main.run(arguments)
    out.write_text(json.dumps(counts.figures()), encoding="utf-8")
    return status


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), resource.RLIM_INFINITY))
    sys.exit(run(Path(sys.argv[2]), sys.argv[3:]))
