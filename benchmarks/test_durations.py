"""Which tests of the suite take longest, and which a quick run leaves out.

    python -m benchmarks.test_durations                   # runs the suite with pytest-xdist and lists the slowest tests
    python -m benchmarks.test_durations --log FILE        # reads logs of `pytest --durations=0` instead of running
    python -m benchmarks.test_durations --log FILE --write

``--write`` brings ``tests/slow_tests.txt`` up to date, by which ``make test-fast`` leaves tests out, and
``tests/long_modules.txt``, by which several processes begin with the longest tests (``tests/schedule.py``). Times are seconds
of wall time, setting up and tearing down included, of a machine that runs several processes of tests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.schedule import LONG_MODULES, Duration

ROOT: Final = Path(__file__).parents[1]
SLOW_TESTS: Final = ROOT / "tests" / "slow_tests.txt"
#: Seconds of its slowest case from which a test function is slow.
SLOW: Final = 0.5
#: Seconds of its longest test from which a module is long.
LONG: Final = 2.0
SHOWN: Final = 50
_LINE: Final = re.compile(r"\s*(\d+(?:\.\d+)?)s (?:call|setup|teardown)\s+(tests/\S+?\.py::.*)")
_HEAD: Final = """# Test functions of which a case takes {limit} s or longer, and modules that have no others.
# Written by `python -m benchmarks.test_durations --write`; `pytest --fast` leaves them out.
"""
_HEAD_LONG: Final = """# Modules that have a test of {limit} s or longer: seconds of the longest, seconds of all, the module.
# Written by `python -m benchmarks.test_durations --write`; several processes of tests begin with them (tests/schedule.py).
"""


def read(lines: Iterable[str]) -> dict[str, float]:
    """Seconds by test, of the lines that ``pytest --durations=0`` prints."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for line in lines:
        if found := _LINE.match(line.rstrip("\n")):
            seconds[found[2]] += float(found[1])
    return dict(seconds)


def module(test: str) -> str:
    return test.partition("::")[0]


def function(test: str) -> str:
    """The test without the parameters of a case."""
    return test.partition("[")[0]


def slow_tests(seconds: Mapping[str, float], limit: float = SLOW) -> list[str]:
    """The functions of which a case takes ``limit`` seconds, sorted, and instead of all of a module, the module.

    The quickest function of a folder of tests is never among them.
    """
    longest: defaultdict[str, float] = defaultdict(float)
    for test, took in seconds.items():
        longest[function(test)] = max(longest[function(test)], took)
    quickest: dict[str, str] = {}
    for name in sorted(longest, key=lambda name: longest[name]):
        quickest.setdefault("/".join(name.split("/")[:2]), name)
    slow = {name for name, took in longest.items() if took >= limit} - set(quickest.values())
    mixed = {module(name) for name in longest.keys() - slow}
    return sorted({name if module(name) in mixed else module(name) for name in slow})


def long_modules(seconds: Mapping[str, float], limit: float = LONG) -> dict[str, Duration]:
    """The modules that have a test of ``limit`` seconds or longer, that with the longest first."""
    tests: defaultdict[str, list[float]] = defaultdict(list)
    for test, took in seconds.items():
        tests[module(test)].append(took)
    found = {name: Duration(max(took), sum(took)) for name, took in tests.items() if max(took) >= limit}
    return dict(sorted(found.items(), key=lambda row: (-row[1].longest, row[0])))


def listing(seconds: Mapping[str, float], shown: int = SHOWN) -> Iterable[str]:
    """The slowest tests and the slowest modules, the slowest first."""
    modules: defaultdict[str, float] = defaultdict(float)
    for test, took in seconds.items():
        modules[module(test)] += took
    for title, group in (("tests", seconds), ("modules", modules)):
        yield f"The {min(shown, len(group))} slowest {title}, of {sum(group.values()):.0f} s:"
        yield from (f"{group[name]:8.2f} s  {name}" for name in sorted(group, key=lambda name: -group[name])[:shown])


def run_suite(arguments: list[str]) -> list[str]:
    """What a run of the suite prints, with its durations."""
    command = [sys.executable, "-m", "pytest", "--durations=0", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--log", type=Path, nargs="+", help="logs of runs with --durations=0; the longest time of a test counts"
    )
    parser.add_argument("--shown", type=int, default=SHOWN, help="how many tests and modules are listed")
    parser.add_argument("--write", action="store_true", help=f"write tests/{SLOW_TESTS.name} and tests/{LONG_MODULES.name}")
    parser.add_argument("tests", nargs="*", help="arguments of pytest; three processes and all tests without any")
    given = parser.parse_args(arguments)
    if given.log:
        logs = [path.read_text(encoding="utf-8").splitlines() for path in given.log]
    else:
        logs = [run_suite(given.tests or ["-n", "3", "--dist", "worksteal"])]
    seconds: dict[str, float] = {}
    for lines in logs:
        seconds |= {test: max(took, seconds.get(test, 0.0)) for test, took in read(lines).items()}
    if not seconds:
        print("no durations: the run has printed none", file=sys.stderr)
        return 2
    print(*listing(seconds, given.shown), sep="\n")
    if given.write:
        SLOW_TESTS.write_text(_HEAD.format(limit=SLOW) + "".join(f"{name}\n" for name in slow_tests(seconds)), encoding="utf-8")
        rows = (f"{took.longest:.0f} {took.whole:.0f} {name}\n" for name, took in long_modules(seconds).items())
        LONG_MODULES.write_text(_HEAD_LONG.format(limit=LONG) + "".join(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
