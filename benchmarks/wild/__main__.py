"""What dllint says of code that nobody tuned it to, and how much of it is right.

python -m benchmarks.wild --peers DIR [--draw N] [-j 2] [--limit SECONDS] [--only OWNER/NAME] [--kept]

Checks 36 public repositories (``repositories.tsv``), or those of a draw, which lie in DIR as ``owner+name``, as a user would,
and compares the findings with those that readers have judged. Writes ``results/wild.json`` (``wild-draw-N.json``) with the
verdicts, the calibration of the confidences, what is left of the findings that were judged true, internal errors, and what
was known about the code. ``--kept`` takes the findings of the last run. The exit status is 1 if a finding has no verdict yet,
for which ``python -m benchmarks.wild.judge`` asks, or if the check of a repository did not come to its end.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.wild import report
from benchmarks.wild.checking import NOT_PRESENT, Run, check_all, keep, kept
from benchmarks.wild.corpus import Corpus, corpus
from benchmarks.wild.figures import calibration, remaining, shown, sort, tables
from benchmarks.wild.targets import targets
from benchmarks.wild.verdicts import FALSE, judgements, read

_FACTS: Final = ("rank", "shape", "dtype")
_SHARES: Final = (*_FACTS, *(f"{name} with gaps" for name in _FACTS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, compare, print and write the result file; the exit status."""
    options = _parser().parse_args(arguments)
    chosen = corpus(options.draw)
    if options.only:
        chosen = replace(chosen, repositories=tuple(r for r in chosen.repositories if r.name in options.only))
    if options.kept:
        names = {repository.name for repository in chosen.repositories}
        runs = [run for run in kept(chosen) if run.repository in names]
    else:
        runs = check_all(chosen, options.peers, jobs=options.jobs, limit_s=options.limit, tell=report.progress)
        if not options.only:
            keep(chosen, runs)
    figures = measured(chosen, runs)
    report.show(figures)
    if not options.only:
        print("written:", results.write(f"wild-{chosen.name}" if options.draw is not None else "wild", figures).name)
    cut_short = {*figures["not checked"].values()} - {NOT_PRESENT}
    return int(bool(figures["unjudged"] or cut_short))


def measured(chosen: Corpus, runs: Sequence[Run]) -> dict[str, Any]:
    """All figures about some runs."""
    judged = judgements(read(chosen.judged))
    names = {run.repository for run in runs if run.state == "checked"}
    here = {place: judgement for place, judgement in judged.items() if place.repository in names}
    found = [one for run in runs for one in run.found]
    split = sort(chosen, found, here)
    mistakes = [one for one in split.judged if one.verdict == FALSE and one.found.severity == "error"]
    by_repository = {run.repository: sum(one.found.place.repository == run.repository for one in mistakes) for run in runs}
    figures = {
        "corpus": chosen.name,
        "seed": chosen.seed,
        "repositories": len(runs),
        "not checked": {run.repository: run.state for run in runs if run.state != "checked"},
        "verdicts": tables(split.judged),
        "disputed": [shown(one.found.place) for one in split.judged if one.judgement.is_disputed],
        "errors proved by running": sum(one.found.severity == "error" and one.judgement.is_proved for one in split.judged),
        "false errors by repository": {name: count for name, count in by_repository.items() if count},
        "remaining": remaining(here, found),
        "calibration": calibration(split.judged),
        "unjudged": [f"{one.severity} {shown(one.place)}" for one in split.unjudged],
        "internal errors": {run.repository: len(run.internal_errors) for run in runs if run.internal_errors},
        "op-failed": {run.repository: failed for run in runs if (failed := run.counts.get("op_failed"))},
        "coverage": coverage(runs),
        "runs": [row(run) for run in runs],
    }
    return figures | {"targets": targets(chosen, figures)}


def coverage(runs: Sequence[Run]) -> dict[str, Any]:
    """What was known about all tensor operations, each traced one and each place in the source, and the calls given up.

    ``mean`` is the mean over the repositories of their shares of places; ``left out`` counts the places of calls whose result
    is no tensor, by library.
    """
    counted = [run.counts for run in runs if run.counts]
    places = [counts["places"] for counts in counted]
    each = [shares([counts]) for counts in places if counts["operations"] + counts["gaps"]]
    mean = {name: round(sum(one[name] for one in each) / max(len(each), 1), 4) for name in _SHARES}
    left_out = sum((Counter(counts.get("no tensors", {})) for counts in places), Counter())
    return {
        "operations": shares(counted),
        "places": shares(places),
        "mean": {"operations": sum(one["operations"] for one in each), "gaps": sum(one["gaps"] for one in each), **mean},
        "left out": dict(left_out.most_common()),
    }


def shares(counted: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The shares of known ranks, shapes and types; those ``with gaps`` count calls that were given up as unknown."""
    total = {name: sum(counts[name] for counts in counted) for name in ("operations", "gaps", *_FACTS)}
    known = {name: round(total[name] / max(total["operations"], 1), 4) for name in _FACTS}
    with_gaps = {name: round(total[name] / max(total["operations"] + total["gaps"], 1), 4) for name in _FACTS}
    return {
        "operations": total["operations"],
        "gaps": total["gaps"],
        **known,
        **{f"{name} with gaps": share for name, share in with_gaps.items()},
    }


def row(run: Run) -> dict[str, Any]:
    """One repository's line of the result file."""
    levels = ("error", "warning", "info", "hint")
    counts = {f"{level}s": sum(one.severity == level for one in run.found) for level in levels}
    line: dict[str, Any] = {"repository": run.repository, "state": run.state, **counts}
    line |= {"internal errors": run.internal_errors, "cpu_s": run.cpu_s, "peak_mib": run.peak_mib}
    return line | ({"coverage": shares([run.counts])} if run.counts else {})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--peers", type=Path, help="where the repositories lie")
    where.add_argument("--kept", action="store_true", help="the findings of the last run, judged again")
    parser.add_argument("--draw", type=int, help="the repositories of this draw instead of the 36")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME", help="one repository (repeatable); nothing is written")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="repositories at a time")
    parser.add_argument("--limit", type=int, default=600, help="CPU seconds for one repository (default %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
