"""``python -m benchmarks.differential``: generated programs, run by the real frameworks and read by dllint."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Final

from benchmarks.differential.batches import batches, checked
from benchmarks.differential.child import SOURCES, Name
from benchmarks.differential.frameworks import Frameworks
from benchmarks.differential.minimise import minimised
from benchmarks.differential.tally import Example, Tally, group
from benchmarks.results import write

#: The share of the programs that each source writes.
_SHARES: Final[dict[Name, float]] = {"own": 0.44, "opinfo": 0.26, "keras": 0.1, "tensorflow": 0.1, "numpy": 0.1}


def main() -> int:
    """Check programs and write the figures; the exit status is 1 if a claim is wrong or an error false."""
    options = _options()
    tallies: dict[Name, Tally] = {source: Tally() for source in options.source}
    todo = [batch for source in options.source for batch in batches(source, options.seed, _programs(source, options))]
    with suppress(KeyboardInterrupt):  # what is checked by then counts
        for batch, tally in checked(todo, options.jobs, options.keep):
            tallies[batch.source].join(tally)
            _progress(tallies)
    _tell(tallies, options)
    every = Tally()
    for tally in tallies.values():
        every.join(tally)
    figures = {"seed": options.seed, "all": every.figures(), **{name: tally.figures() for name, tally in tallies.items()}}
    print(figures)
    if options.write:
        print(f"written: {write('differential', figures).name}")
    return 1 if every.examples else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differential", description=__doc__)
    parser.add_argument("--programs", type=int, default=10_000, help="in all; of one source with --source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--source", action="append", choices=SOURCES, help="only this one (may be repeated)")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with one more for the frameworks")
    parser.add_argument("--keep", type=Path, help="a file in which batches are kept that are done; with it a run is resumed")
    parser.add_argument("--show", type=int, default=20, help="how many groups of examples are made small and printed")
    parser.add_argument("--missed", type=int, default=0, help="how many errors that are not found are printed")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/differential.json")
    options = parser.parse_args()
    options.only = bool(options.source)
    options.source = tuple(dict.fromkeys(options.source or SOURCES))
    return options


def _programs(source: Name, options: argparse.Namespace) -> int:
    if options.only:
        return int(options.programs // len(options.source))
    return round(options.programs * _SHARES[source])


def _progress(tallies: dict[Name, Tally]) -> None:
    done = sum(tally.programs for tally in tallies.values())
    wrong, false = (sum(getattr(tally, name) for tally in tallies.values()) for name in ("programs_wrong", "false_errors"))
    print(f"\r{done} programs, {wrong} with a wrong claim, {false} with a false error ", end="", file=sys.stderr, flush=True)


def _tell(tallies: dict[Name, Tally], options: argparse.Namespace) -> None:
    """Print an example of each group, the most frequent first, and errors that are not found."""
    groups: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for name, tally in tallies.items():
        for example in tally.examples:
            groups[name, group(example.wrong[0])].append(example)
    running: dict[str, Frameworks] = {}
    for (name, title), examples in sorted(groups.items(), key=lambda item: -len(item[1]))[: options.show]:
        frameworks = running.setdefault(name, Frameworks(examples[0].source))  # type: ignore[arg-type]
        first = min(examples, key=lambda example: len(example.text))
        wrong = first.wrong[0]
        print(f"\n{title} ({len(examples)} programs of {name}, number {first.number}), {wrong['name']}:"
              f" claimed {wrong['claimed']}, is {wrong['seen']}")  # fmt: skip
        print(minimised(first.text, wrong["kind"], frameworks))
    for frameworks in running.values():
        frameworks.close()
    _tell_missed(tallies, options.missed)


def _tell_missed(tallies: dict[Name, Tally], most: int) -> None:
    missed = [example for tally in tallies.values() for example in tally.missed]
    counted = Counter(_line(example) for example in missed)
    for line, _ in counted.most_common(most):
        print(line)


def _line(example: Example) -> str:
    return f"{example.source} {example.number}: {example.error.splitlines()[0] if example.error else ''}"


if __name__ == "__main__":
    sys.exit(main())
