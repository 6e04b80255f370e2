"""``python -m benchmarks.numeric.soundness``: random programs against the ranges inferred for them."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from benchmarks.numeric.soundness.check import Verdict
from benchmarks.numeric.soundness.generator import generate
from benchmarks.numeric.soundness.minimise import minimised
from benchmarks.numeric.soundness.processes import verdicts
from benchmarks.numeric.soundness.tally import Tally
from benchmarks.results import write


def main() -> int:
    """Check programs and write the figures; the exit status is 1 if there are counter-examples."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.numeric.soundness", description=__doc__)
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others follow")
    parser.add_argument("--show", type=int, default=10, help="how many counter-examples are made small and printed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    tally = Tally()
    with suppress(KeyboardInterrupt):  # what is checked by then counts
        for seed, verdict in verdicts(range(options.seed, options.seed + options.programs), options.jobs):
            tally.add(seed, verdict)
            _tell(tally, seed, verdict, options.show)
    figures = {"first_seed": options.seed, "last_seed": options.seed + tally.programs - 1, **tally.figures()}
    print("\n", figures)
    if not options.no_write:
        print(f"written: {write('numeric-soundness', figures).name}")
    return 1 if tally.failed else 0


def _tell(tally: Tally, seed: int, verdict: Verdict, most: int) -> None:
    """Show a counter-example, made small, and the progress."""
    if verdict.counter_examples and len(tally.failed) <= most:
        print(f"\nseed {seed}: {verdict.counter_examples[0]}\n{minimised(generate(seed), seed).text}", flush=True)
    if sys.stderr.isatty() or tally.programs % 500 == 0:
        shown = f"\r{tally.programs} programs, {tally.counter_examples} counter-examples, {tally.seconds:.0f} s"
        print(shown, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
