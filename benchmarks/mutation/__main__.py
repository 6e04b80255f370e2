"""Mutation run: small faults are seeded into the analysis, and the tests that execute them are run on each.

    python -m benchmarks.mutation --count 300 --jobs 2          # of the last commit
    python -m benchmarks.mutation --commit 68f44340             # of an older one, for comparison

Mutants are drawn by a seed from ``dllint/{ops,lower,rules,engine}``. One run of the suite, with a probe in each basic block,
records which tests execute what (``build/mutation/COMMIT``, made once). A mutant is tried by the tests that execute its block,
the quick and narrow ones first, until one fails or ``--seconds`` of tests have been run; a trial that takes five times as long
as its tests have taken has timed out. Trials are kept, so that a run which was ended goes on where it was. A test that also
fails without a fault counts for nothing. Left out are the tests of other programs (``diagnose``, ``bisection``, benchmarks) and
those that look at the text of the package (``tests/repo``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.mutation import coverage, report, sampling, trees, trials
from benchmarks.mutation.coverage import Coverage, KnownTest
from benchmarks.mutation.kept import Kept
from benchmarks.mutation.planning import Plan, plan
from benchmarks.mutation.sampling import Drawn
from benchmarks.mutation.trials import Outcome, Verdict
from benchmarks.results import write

_KILLERS: Final = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants and write the figures; the exit status is 1 if tests could not be run."""
    options = _parser().parse_args(arguments)
    commit = trees.resolved(options.commit)
    tree = trees.tree_of(commit)
    files = sampling.files_of(tree)
    drawn = sampling.draw(tree, files, options.count, options.seed)
    folder = tree.parent / "coverage"
    first = coverage.number_blocks(tree, files, folder)
    if options.record or not (folder / coverage.DONE).exists():
        coverage.record(tree, folder, options.processes, options.tests)
    of_drawn = {found: _blocks(found, first, files, tree) for found in drawn}
    covered = coverage.read(folder, {block for blocks in of_drawn.values() for block in blocks})
    kept = Kept(tree.parent / f"trials-{options.seed}.jsonl")
    copies = trees.further_trees(tree, options.jobs)
    found = _trials(
        {one: _touching(blocks, covered) for one, blocks in of_drawn.items()}, covered, options.seconds, copies, kept
    )
    figures = report.figures(found)
    print(*report.lines(figures), sep="\n")
    if not options.no_write:
        given = {"commit": commit, "seed": options.seed, "seconds of tests per mutant": options.seconds}
        write(options.name, {**given, "tests that passed": len(covered.tests), **figures})
    return int(any(outcome.verdict is Verdict.BROKEN for outcome in found.values()))


def _blocks(drawn: Drawn, first: Mapping[str, int], files: Sequence[str], tree: Path) -> range:
    """The blocks whose tests try a mutant: its own; all of its file if it runs at import."""
    if drawn.file not in first:
        return range(0)
    if drawn.mutant.block is not None:
        return range(first[drawn.file] + drawn.mutant.block, first[drawn.file] + drawn.mutant.block + 1)
    return range(first[drawn.file], first[drawn.file] + coverage.count_blocks(tree / drawn.file))


def _touching(blocks: range, covered: Coverage) -> list[KnownTest]:
    return list(dict.fromkeys(test for block in blocks for test in covered.by_block.get(block, ())))


def _trials(
    touching: Mapping[Drawn, Sequence[KnownTest]], covered: Coverage, seconds: float, copies: Sequence[Path], kept: Kept
) -> dict[Drawn, Outcome]:
    """The outcome of every mutant; tests that fail without a fault are left out, and their mutants tried again."""
    unreliable: set[str] = set()
    while True:
        found = kept.read(touching)
        left = {one: tests for one, tests in touching.items() if one not in found or found[one].by in unreliable}
        if not left:
            killers = {outcome.by for outcome in found.values() if outcome.verdict in report.NOTICED}
            fresh = _failing_without_a_fault(killers - unreliable, covered, copies[0])
            if not fresh:
                return found
            unreliable |= fresh
            continue
        plans = [(one, _reliable_plan(tests, covered, seconds, unreliable)) for one, tests in left.items()]
        for number, (one, outcome) in enumerate(trials.all_tried(plans, copies), 1):
            kept.add(one, outcome)
            place = f"{one.file}:{one.mutant.line}"
            print(f"{number}/{len(plans)} {outcome.verdict:<11} {outcome.seconds:6.1f} s  {place}  {outcome.by}", flush=True)


def _reliable_plan(tests: Sequence[KnownTest], covered: Coverage, seconds: float, unreliable: set[str]) -> Plan:
    return plan([test for test in tests if test.name not in unreliable and test.module not in unreliable], covered, seconds)


def _failing_without_a_fault(names: Iterable[str], covered: Coverage, tree: Path) -> set[str]:
    """Of the tests, and the modules that could not be imported, those that fail with nothing changed."""
    tests = [test for test in covered.tests.values() if test.name in set(names)]
    modules = {name for name in names if "::" not in name}
    tests += [next(test for test in covered.tests.values() if test.module == module) for module in modules]
    if not tests:
        return set()
    with trials.Zygote(tree) as zygote:
        return trials.failing_without_a_fault(zygote, tests)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="how many mutants are tried at a time")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of tests that a mutant may take")
    parser.add_argument("--commit", default="HEAD", help="whose package and tests")
    parser.add_argument("--record", action="store_true", help="record again what tests execute")
    parser.add_argument("--processes", type=int, default=3, help="processes of the recorded run")
    parser.add_argument("--tests", nargs="*", default=[], help="arguments of pytest for the recorded run")
    parser.add_argument("--name", default="mutation", help="name of the result file")
    parser.add_argument("--no-write", action="store_true", help="write no result file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
