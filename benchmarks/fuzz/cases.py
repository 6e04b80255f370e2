"""Subjects whose cases are made of a seed, looked at in a worker, and wrong or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from benchmarks.fuzz.watched import watched


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a case: the kind, the details, the case itself."""

    kind: str
    detail: str
    data: bytes = b""
    suffix: str = ".py"


@dataclass(frozen=True, slots=True)
class Looked:
    """What a case has shown: counts by name, and what is wrong."""

    counts: dict[str, int]
    findings: tuple[Finding, ...] = ()


def run_cases(
    subject: str, options: Options, look: Callable[[str], Looked], unit: str, prepare: Callable[[], None] | None = None
) -> Report:
    """Look at ``count`` cases; ``look`` gets the seed of each. ``prepare`` loads what all of them need."""
    if prepare is not None:
        prepare()
    report = Report(subject, options.seed)
    for ended in watched(partial(_looked, look), options.timely(_seeds(options)), jobs=options.jobs):
        report.counts[unit] += 1
        report.progress()
        if ended.kind:
            report.add(Trouble(ended.kind, ended.item, ended.detail))
            continue
        report.counts.update(ended.value.counts)
        for found in ended.value.findings:
            report.add(Trouble(found.kind, ended.item, found.detail, found.data, found.suffix))
    return report


def _looked(look: Callable[[str], Looked], seed: str) -> Looked:
    return look(seed)


def _seeds(options: Options) -> Iterator[str]:
    return (f"{options.seed}.{number}" for number in range(options.count))
