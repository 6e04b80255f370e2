"""Public files as they are."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from benchmarks.fuzz.corpus import public_files
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report
from benchmarks.fuzz.sources import Source, checked


def run(options: Options) -> Report:
    """Check ``count`` files that are drawn from the public checkouts, those of a checkout one after the other."""
    report = Report("public", options.seed)
    if options.peers is None:
        report.absent.append("public files (--peers)")
        return report
    return checked(report, options.timely(_drawn(options)), options.jobs)


def _drawn(options: Options) -> Iterator[Source]:
    assert options.peers is not None
    files = public_files(options.peers)
    Random(options.seed).shuffle(files)
    for path in sorted(files[: options.count]):
        group = path.relative_to(options.peers).parts[0]
        yield Source("public", str(path.relative_to(options.peers)), path, path.read_bytes(), group=group)
