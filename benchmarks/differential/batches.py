"""Programs in batches, shared out over processes; a batch that is done is kept, so that a run can be resumed."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.differential.child import Name
from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import Verdict, compared
from benchmarks.differential.frameworks import Frameworks
from benchmarks.differential.tally import Tally

_SIZE: Final = 100


@dataclass(frozen=True, slots=True)
class Batch:
    """The programs of a source with some numbers."""

    source: Name
    seed: int
    first: int
    last: int

    @property
    def key(self) -> str:
        """What it is kept under."""
        return f"{self.source} {self.seed} {self.first} {self.last}"


def batches(source: Name, seed: int, programs: int) -> list[Batch]:
    """So many programs of a source."""
    return [Batch(source, seed, n, min(n + _SIZE, programs)) for n in range(0, programs, _SIZE)]


_frameworks: dict[Name, Frameworks] = {}


def check(batch: Batch) -> tuple[Batch, Tally]:
    """Write, run and check the programs of a batch."""
    for source in [name for name in _frameworks if name != batch.source]:
        _frameworks.pop(source).close()
    frameworks = _frameworks.setdefault(batch.source, Frameworks(batch.source))
    tally = Tally()
    for number, text, _, observed in frameworks.programs(batch.seed, range(batch.first, batch.last)):
        verdict = compared(claims(text), observed) if not observed.lost else Verdict(lost=observed.lost)
        raised = observed.raised
        error = f"{raised.kind}: {raised.message}" if raised is not None else ""
        tally.add(batch.source, number, text, verdict, error)
    return batch, tally


def checked(todo: list[Batch], jobs: int, kept: Path | None) -> Iterator[tuple[Batch, Tally]]:
    """The figures of batches, those that are kept first."""
    known = dict(_read(kept))
    for batch in todo:
        if batch.key in known:
            yield batch, known[batch.key]
    for batch, tally in _computed([batch for batch in todo if batch.key not in known], jobs):
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"batch": batch.key, "tally": tally.as_data()}) + "\n")
        yield batch, tally


def _read(kept: Path | None) -> Iterator[tuple[str, Tally]]:
    if kept is None or not kept.exists():
        return
    for line in kept.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:  # the last line of a run that was ended
            continue
        yield entry["batch"], Tally.from_data(entry["tally"])


def _computed(todo: list[Batch], jobs: int) -> Iterator[tuple[Batch, Tally]]:
    if jobs == 1:
        yield from map(check, todo)
        for frameworks in _frameworks.values():
            frameworks.close()
        return
    with closing(_Pool(jobs)) as pool:
        yield from pool.run(todo)


class _Pool:
    """Workers that may have children of their own, each with its batches."""

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._todo, self._done = context.Queue(), context.Queue()
        self._workers = [context.Process(target=_work, args=(self._todo, self._done)) for _ in range(jobs)]
        for worker in self._workers:
            worker.start()

    def run(self, todo: list[Batch]) -> Iterator[tuple[Batch, Tally]]:
        for batch in todo:
            self._todo.put(batch)
        for _ in self._workers:
            self._todo.put(None)
        for _ in todo:
            yield self._done.get()

    def close(self) -> None:
        for worker in self._workers:
            worker.join(timeout=5)
            worker.terminate()


def _work(todo: multiprocessing.Queue[Batch | None], done: multiprocessing.Queue[tuple[Batch, Tally]]) -> None:
    while (batch := todo.get()) is not None:
        done.put(check(batch))
    for frameworks in _frameworks.values():
        frameworks.close()
