"""``python -m benchmarks.module_idioms``: model classes that run, against the errors that dllint reports of them."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import torch

from benchmarks.module_idioms.check import Verdict, Version, check
from benchmarks.module_idioms.template import FAMILIES
from benchmarks.results import write


def main() -> int:
    """Check programs and write the figures; the exit status is 1 if an error is false or a shape wrong."""
    options = _options()
    seeds = range(options.seed, options.seed + options.programs)
    count: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    families = tuple(options.family or FAMILIES)
    with ProcessPoolExecutor(options.jobs, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for verdict in pool.map(partial(check, families=families), seeds, chunksize=4):
            _add(count, verdict)
            _show(verdict, shown, options)
    figures = {"first_seed": options.seed, **dict(sorted(count.items()))}
    for name, value in figures.items():
        print(f"{value:8} {name}")
    if not options.no_write:
        print(f"written: {write('module-idioms', figures).name}")
    return 1 if any(count[name] for name in ("false errors", "programs with a wrong shape", "crashes")) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.module_idioms", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others follow")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only these templates")
    parser.add_argument("--show", type=int, default=10, help="how many kinds of problems are shown, each once")
    parser.add_argument("--missed", action="store_true", help="show errors that are not found in plain programs")
    parser.add_argument("--text", action="store_true", help="show the programs as well")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-write", action="store_true")
    return parser.parse_args()


def _add(count: Counter[str], verdict: Verdict) -> None:
    count["programs"] += 1
    count["defects of templates"] += bool(verdict.defect)
    count["operations"] += verdict.operations
    count["operations of known shape"] += verdict.known
    for version in verdict.versions:
        kind = "plain" if not version.hiding.hides else "hidden"
        count[f"versions, {kind}"] += 1
        count[f"versions with a false error, {kind}"] += bool(version.false_errors)
        count["false errors"] += len(version.false_errors)
        count[f"versions with an error under a condition, {kind}"] += bool(version.conditional)
        count["programs with a wrong shape"] += bool(version.wrong)
        count["crashes"] += len(version.crashes)
    for version in verdict.broken:
        kind = "plain" if version is verdict.broken[0] else "hidden"
        count[f"broken, {kind}"] += 1
        count[f"broken with an error, {kind}"] += version.found


def _show(verdict: Verdict, shown: Counter[str], options: argparse.Namespace) -> None:
    if verdict.defect:
        _once(f"{verdict.family} does not run: {verdict.defect}", verdict, None, shown, options)
    for version in verdict.versions:
        for problem in (*version.crashes, *version.false_errors, *version.conditional, *version.wrong):
            _once(problem, verdict, version, shown, options)
    if options.missed and verdict.broken and not verdict.broken[0].found:
        _once(f"missed: {verdict.error}", verdict, verdict.broken[0], shown, options)


def _once(problem: str, verdict: Verdict, version: Version | None, shown: Counter[str], options: argparse.Namespace) -> None:
    kind = f"{verdict.family} {problem.partition(' ')[2][:40]}"
    shown[kind] += 1
    if shown[kind] > 1 or len(shown) > options.show:
        return
    print(f"\nseed {verdict.seed} ({verdict.family}; {version.hiding if version else ''}): {problem}", flush=True)
    if options.text and version is not None:
        print(version.text)


if __name__ == "__main__":
    sys.exit(main())
