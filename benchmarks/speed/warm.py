"""The cache: CPU seconds of a first check, of one with nothing changed and of one with one file edited, beside parsing.

python -m benchmarks.speed.warm --peers DIR [--packages timm,transformers] [--rounds 3]

Each package is copied (of transformers, every 27th directory is checked), parsed, checked for the first time, checked again as
it is, after one file got another time of change, and after a comment was appended to it, in one process each. Every figure is
also given as a multiple of parsing with libcst in the same run, with the share of operations whose shapes are known. One file
of about 1000 lines is checked from the cache beside ``python -c pass``; a faulty one of 20 lines and two files of timm are
checked by cold processes, each in turn with a process that imports libcst and parses the same file. ``--packages ''`` leaves
the packages out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.measure import Measured, run
from benchmarks.speed.corpus import CHECK, IMPORT_AND_PARSE, off_1000_lines
from benchmarks.speed.stages import EVERY, sample

CACHED: Final = [word for word in CHECK if word != "--no-cache"]
#: The models of timm that cold processes check: one of about 1000 lines, and the longest one.
COLD: Final = ("coat.py", "vision_transformer.py")
SMALL: Final = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(64, 4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = self.drop(x)
        return self.second(x)


net = Net()
out = net(torch.zeros(8, 16))
print(out.shape)
"""


def main() -> None:
    """Measure, print, write ``results/speed-warm.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--packages", default="timm,transformers")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind, of which the median counts")
    options = parser.parse_args()
    figures: dict[str, Any] = {"packages": {}}
    for name in filter(None, options.packages.split(",")):
        root = options.peers / f"pypi+{name}"
        figures["packages"][name] = package(root, name, options.rounds) if root.is_dir() else "not present"
        print(name, json.dumps(figures["packages"][name]), flush=True)
    models = sorted((options.peers / "pypi+timm" / "timm" / "models").glob("*.py"))
    figures["one_file"] = one_file(min(models, key=off_1000_lines), options.rounds) if models else "not present"
    print("one file", json.dumps(figures["one_file"]), flush=True)
    figures["small_file"] = small_file(options.rounds)
    print("small file", json.dumps(figures["small_file"]), flush=True)
    figures["cold_files"] = {path.name: cold_file(path, options.rounds) for path in models if path.name in COLD}
    print("cold files", json.dumps(figures["cold_files"]))
    print(f"written: {results.write('speed-warm', figures).name}")


def package(root: Path, name: str, rounds: int) -> dict[str, Any]:
    """The figures of one package."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / root.name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("*.dist-info"))
        files = sample(copy, EVERY if name == "transformers" else 1)
        listing = Path(directory) / "files.json"
        listing.write_text(json.dumps(list(map(str, files))))
        parse = run([sys.executable, "-m", "benchmarks.speed.parse_all", str(listing)])
        covered = Path(directory) / "coverage.json"
        command = [*CACHED, "--cache-dir", str(Path(directory) / "cache"), "--coverage-file", str(covered), *map(str, files)]
        cold = run(command)
        unchanged = [run(command) for _ in range(rounds)]
        if any(again.stdout != cold.stdout for again in unchanged):
            raise SystemExit(f"{name}: a warm run reported something else than the cold one")
        edited = sorted(files, key=lambda path: path.stat().st_size)[len(files) // 2]
        edited.touch()
        touched = run(command)
        if touched.stdout != cold.stdout:
            raise SystemExit(f"{name}: a run after a file got another time reported something else")
        append_comment(edited)
        once_edited = run(command)
        share = json.loads(covered.read_text())["share"]
    times = {"cold": cold.cpu_s, "unchanged": median(unchanged), "one_touched": touched.cpu_s, "one_edited": once_edited.cpu_s}
    return {
        **json.loads(parse.stdout),
        "parse_cpu_s": round(parse.cpu_s, 2),
        **{f"{kind}_cpu_s": round(seconds, 3) for kind, seconds in times.items()},
        **{f"{kind}_times_parse": round(seconds / parse.cpu_s, 4) for kind, seconds in times.items()},
        "edited": edited.relative_to(copy).as_posix(),
        "shapes_known": share,
    }


def append_comment(path: Path) -> None:
    """Edit a file at its end."""
    with path.open("a") as stream:
        stream.write("# edited\n")


def median(measured: Sequence[Measured]) -> float:
    """The median of their CPU seconds."""
    return statistics.median(each.cpu_s for each in measured)


def one_file(path: Path, rounds: int) -> dict[str, Any]:
    """A file of about 1000 lines from the cache, in turn with a process that does nothing."""
    with tempfile.TemporaryDirectory() as directory:
        command = [*CACHED, "--cache-dir", directory, str(path)]
        cold = run(command)
        cached, nothing = in_turn(rounds, lambda: run(command), lambda: run([sys.executable, "-c", "pass"]))
    if any(again.stdout != cold.stdout for again in cached):
        raise SystemExit(f"{path.name}: a warm run reported something else than the cold one")
    return {
        "file": "/".join(path.parts[-3:]),
        "lines": path.read_bytes().count(b"\n"),
        "cold_cpu_s": round(cold.cpu_s, 3),
        "cached_cpu_s": round(median(cached), 3),
        "python_cpu_s": round(median(nothing), 3),
    }


def small_file(rounds: int) -> dict[str, Any]:
    """A small file: the first check, and the check from the cache."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "small.py"
        path.write_text(SMALL)
        cold = cold_file(path, rounds)
        command = [*CACHED, "--cache-dir", str(Path(directory) / "cache"), str(path)]
        run(command)
        cached = [run(command) for _ in range(rounds)]
    return {**cold, "cached_cpu_s": round(median(cached), 3)}


def cold_file(path: Path, rounds: int) -> dict[str, Any]:
    """A first check of a file by a process of its own, in turn with importing libcst and parsing it. Checked once before, so
    that all modules are compiled."""
    run([*CHECK, str(path)])
    cold, parse = in_turn(
        rounds, lambda: run([*CHECK, str(path)]), lambda: run([sys.executable, "-c", IMPORT_AND_PARSE, str(path)])
    )
    return {
        "lines": path.read_bytes().count(b"\n"),
        "cold_cpu_s": round(median(cold), 3),
        "import_and_parse_cpu_s": round(median(parse), 3),
        "cold_times_parse": round(statistics.median(c.cpu_s / p.cpu_s for c, p in zip(cold, parse, strict=True)), 2),
    }


def in_turn(rounds: int, one: Callable[[], Measured], other: Callable[[], Measured]) -> tuple[list[Measured], list[Measured]]:
    """Two measurements by turns, so that the drift of the machine concerns both."""
    pairs = [(one(), other()) for _ in range(rounds)]
    return [first for first, _ in pairs], [second for _, second in pairs]


if __name__ == "__main__":
    main()
