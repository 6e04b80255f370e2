"""Lines that dllint checks in a second of CPU time, as a multiple of TorchFix's on the same files.

python -m benchmarks.speed.torchfix --torchfix PROGRAM NAME=DIR [NAME=DIR ...] [--every 1]

PROGRAM is TorchFix's command in an environment of its own (``pip install torchfix`` there). Both are given all Python files of
a directory, or every so many of them, in one run of one process, with all rules and without a cache. What either takes to check
an empty file is measured too, and is part of its figures.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Final

from benchmarks import results
from benchmarks.measure import Measured, run
from benchmarks.speed.corpus import CHECK

_ALL: Final = ("--select", "ALL")
#: What both may end with: nothing found, something found.
_DONE: Final = (0, 1)


def main() -> None:
    """Measure, print, write ``results/speed-torchfix.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", nargs="+", metavar="NAME=DIR")
    parser.add_argument("--torchfix", required=True, help="the program of TorchFix")
    parser.add_argument("--every", type=int, default=1, help="check one of so many files")
    options = parser.parse_args()
    version = run([options.torchfix, "--version"]).stdout.strip()
    figures: dict[str, object] = {"torchfix": version, "every": options.every, "empty file": empty(options.torchfix)}
    print(json.dumps(figures), flush=True)
    for given in options.code:
        name, _, directory = given.partition("=")
        figures[name] = compared(options.torchfix, Path(directory), options.every)
        print(name, json.dumps(figures[name]), flush=True)
    print(f"written: {results.write('speed-torchfix', figures).name}")


def compared(torchfix: str, directory: Path, every: int) -> dict[str, object]:
    """The figures of the files of one directory."""
    files = sorted(str(path) for path in directory.rglob("*.py") if path.is_file())[::every]
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    ours, theirs = checked(files), fixed(torchfix, files)
    rates = lines / ours.cpu_s, lines / theirs.cpu_s
    return {
        "files": len(files),
        "lines": lines,
        "dllint_cpu_s": round(ours.cpu_s, 2),
        "torchfix_cpu_s": round(theirs.cpu_s, 2),
        "dllint_lines_per_s": round(rates[0]),
        "torchfix_lines_per_s": round(rates[1]),
        "times": round(rates[0] / rates[1], 1),
        "failed": [name for name, done in (("dllint", ours), ("torchfix", theirs)) if done.code not in _DONE],
    }


def empty(torchfix: str) -> dict[str, float]:
    """CPU seconds for a file without code."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "empty.py"
        file.write_text("")
        return {
            "dllint_cpu_s": round(checked([str(file)]).cpu_s, 2),
            "torchfix_cpu_s": round(fixed(torchfix, [str(file)]).cpu_s, 2),
        }


def checked(files: list[str]) -> Measured:
    """Check files with dllint."""
    return run([*CHECK, *files])


def fixed(torchfix: str, files: list[str]) -> Measured:
    """Check files with TorchFix; it changes nothing without ``--fix``."""
    return run([torchfix, *_ALL, "-j", "1", *files])


if __name__ == "__main__":
    main()
