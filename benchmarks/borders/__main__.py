"""``python -m benchmarks.borders``: every operation, handler, property and row with every kind of value in every place."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from benchmarks.borders.check import Trouble, troubles
from benchmarks.borders.subjects import subjects
from benchmarks.borders.workshop import Workshop


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="subjects whose name contains this")
    parser.add_argument("--every", type=int, default=1, help="every n-th subject")
    parser.add_argument("--bases", type=int, default=2, help="calls per subject that arguments are replaced in")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    workshop, rng, began = Workshop(), Random(options.seed), time.process_time()
    chosen = [subject for subject in subjects() if options.only in subject.name][options.seed % options.every :: options.every]
    found: list[Trouble] = []
    for subject in chosen:
        for trouble in troubles(workshop, subject, rng, options.bases):
            found.append(trouble)
            print(trouble, flush=True)
    kinds = Counter(trouble.kind for trouble in found)
    print(f"{len(chosen)} subjects, {dict(kinds)}, {time.process_time() - began:.0f} s")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
