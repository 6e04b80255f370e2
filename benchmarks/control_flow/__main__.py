"""``python -m benchmarks.control_flow``: random programs against what is claimed of them."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

import torch

from benchmarks.control_flow.comparison import Verdict, check, minimised, program
from benchmarks.control_flow.grammar import GRAMMARS
from benchmarks.results import write

#: Grammar → the result file.
_RESULTS: Final = {"flow": "control-flow", "objects": "objects"}


def main() -> int:
    """Check programs and write the figures; the exit status is 1 if a claim is wrong or an error false."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.control_flow", description=__doc__)
    parser.add_argument("--grammar", choices=GRAMMARS, default="flow", help="what the programs are made of")
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others follow")
    parser.add_argument("--show", type=int, default=10, help="how many counter-examples are printed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    grammar = GRAMMARS[options.grammar]
    seeds = range(options.seed, options.seed + options.programs)
    count: Counter[str] = Counter()
    shown = 0
    with ProcessPoolExecutor(options.jobs, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for seed, verdict in zip(seeds, pool.map(partial(_checked, options.grammar), seeds, chunksize=10), strict=True):
            _add(count, verdict)
            problems = [*verdict.wrong, *verdict.false_errors, *verdict.crashes]
            if problems and shown < options.show:
                shown += 1
                print(f"\nseed {seed}: {problems}\n{minimised(program(seed, grammar), grammar.preamble)}", flush=True)
    figures = {"first_seed": options.seed, "programs": options.programs, **dict(sorted(count.items()))}
    print(figures)
    if not options.no_write:
        print(f"written: {write(_RESULTS[options.grammar], figures).name}")
    return 1 if count["programs with a wrong claim"] + count["programs with a false error"] + count["crashes"] else 0


def _checked(grammar: str, seed: int) -> Verdict:
    return check(program(seed, GRAMMARS[grammar]))


def _add(count: Counter[str], verdict: Verdict) -> None:
    count["programs with a wrong claim"] += bool(verdict.wrong)
    count["wrong claims"] += len(verdict.wrong)
    count["programs with a false error"] += bool(verdict.false_errors)
    count["programs with an error under a condition that no run fulfils"] += bool(verdict.conditional)
    count["crashes"] += len(verdict.crashes)
    count["programs that fail"] += verdict.fails
    count["of these with an error reported"] += verdict.fails and verdict.found
    count["tensors"] += verdict.tensors
    count["tensors of known shape"] += verdict.known
    count["values"] += verdict.values
    count["values known in all parts"] += verdict.known_values


if __name__ == "__main__":
    sys.exit(main())
