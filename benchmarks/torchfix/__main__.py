"""Command line of the comparison with TorchFix's fixtures."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.results import write
from benchmarks.torchfix.reports import REASONS as UNTOLD
from benchmarks.torchfix.reports import missed
from benchmarks.torchfix.rewrites import REASONS, rewrites

_CHECKOUT = "pytorch-labs+torchfix"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare both; status 1 if a report is missed, or a rewrite differs, without a reason."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torchfix")
    parser.add_argument("--peers", type=Path, required=True, help=f"a folder with {_CHECKOUT}")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    fixtures = options.peers / _CHECKOUT / "tests" / "fixtures"
    if not fixtures.is_dir():
        print("not present")
        return 2
    reports, absent = missed(fixtures)
    by_code = Counter(each.code for each in reports)
    left = Counter(each.code for each in absent)
    for each in absent:
        print(f"not told: {each.file}:{each.line} {each.code}")
    places = rewrites(fixtures)
    bad = [each for each in absent if Path(each.file).stem not in UNTOLD]
    unexplained = [each for each in places if each.verdict != "same" and each.fixture not in REASONS]
    for place in places:
        if place.verdict != "same":
            print(f"{place.verdict}: {place.fixture}: {place.before!r} -> {place.ours!r}, expected {place.wanted!r}")
    verdicts = Counter(place.verdict for place in places)
    figures = {
        "reports": {"expected": len(reports), "told": len(reports) - len(absent)},
        "not told because": {name: UNTOLD[name] for name in sorted({Path(each.file).stem for each in absent} & {*UNTOLD})},
        "by code": {code: f"{count - left[code]} of {count}" for code, count in sorted(by_code.items())},
        "rewrites": {"expected": len(places), **{verdict: verdicts[verdict] for verdict in ("same", "other form", "left")}},
        "forms": {
            name: REASONS[name] for name in sorted({each.fixture for each in places if each.verdict != "same"} & {*REASONS})
        },
    }
    print(figures)
    if options.write:
        print(write("torchfix", figures))
    return int(bool(bad or unexplained))


if __name__ == "__main__":
    raise SystemExit(main())
