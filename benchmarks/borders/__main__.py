"""``python -m benchmarks.borders``: every operation, handler, property and row with every kind of value in every place."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from benchmarks.borders.check import KINDS, Trouble, troubles
from benchmarks.borders.kinds import KNOWN, OPEN
from benchmarks.borders.subjects import subjects
from benchmarks.borders.workshop import Workshop
from benchmarks.results import write


def main() -> int:
    """Run, print and write the figures; the exit status is 1 if there is any trouble."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.borders", description=__doc__)
    parser.add_argument("--only", default="", help="subjects whose name contains this; nothing is written")
    parser.add_argument("--every", type=int, default=1, help="every n-th subject; nothing is written")
    parser.add_argument("--bases", type=int, default=2, help="calls per subject that arguments are replaced in")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    workshop, began = Workshop(), time.process_time()
    chosen = [subject for subject in subjects() if options.only in subject.name][options.seed % options.every :: options.every]
    found: list[Trouble] = []
    for subject in chosen:
        for trouble in troubles(workshop, subject, Random(f"{options.seed} {subject.name}"), options.bases):
            found.append(trouble)
            print(trouble, flush=True)
    count = Counter(trouble.kind for trouble in found)
    figures = {"seed": options.seed, "subjects": len(chosen), "kinds of values": len(KNOWN) + len(OPEN)}
    figures |= {"calls": workshop.calls} | {kind: count[kind] for kind in KINDS}
    print(f"{figures}, {time.process_time() - began:.0f} s")
    if not (options.no_write or options.only or options.every > 1):
        print(f"written: {write('borders', figures).name}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
