"""Which tests execute a block: a run of the suite with probes, kept in a folder."""

from __future__ import annotations

import ast
import json
import os
import pickle
import subprocess
import sys
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.mutation.blocks import blocks
from benchmarks.mutation.recording import TABLE, VARIABLE, Record

#: What tells nothing about the analysis, or looks at its text: a fault would be noticed for its spelling.
LEFT_OUT: Final = ("benchmarks", "bisection", "callbacks", "dev", "diagnose", "editor", "page", "repo")
LOG: Final = "pytest.log"
#: Is there when the run has come to its end.
DONE: Final = "done"


@dataclass(frozen=True, slots=True)
class KnownTest:
    """A test that passes, its seconds, and how many blocks it executes."""

    name: str
    seconds: float
    breadth: int

    @property
    def module(self) -> str:
        return self.name.partition("::")[0]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The tests that passed, those of them that execute a block, and seconds that modules of tests take to import."""

    tests: Mapping[str, KnownTest]
    by_block: Mapping[int, Sequence[KnownTest]]
    import_seconds: Mapping[str, float]


def number_blocks(tree: Path, files: Sequence[str], folder: Path) -> dict[str, int]:
    """Write the table of blocks; the number of the first block by file."""
    first: dict[str, int] = {}
    count = 0
    for file in files:
        if found := count_blocks(tree / file):
            first[file] = count
            count += found
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TABLE).write_text(json.dumps({"count": count, "first": first}), encoding="utf-8")
    return first


def count_blocks(path: Path) -> int:
    """How many blocks a module has."""
    return len(blocks(ast.parse(path.read_bytes())))


def record(tree: Path, folder: Path, processes: int, tests: Sequence[str]) -> None:
    """Run the tests of a tree with probes (``tests``: arguments of pytest in place of all)."""
    for old in (*folder.glob("*.records"), folder / DONE):
        old.unlink(missing_ok=True)
    chosen = tests or ["tests", *(f"--ignore=tests/{name}" for name in LEFT_OUT)]
    command = [sys.executable, "-m", "pytest", "-p", "benchmarks.mutation.recording", "-p", "no:cacheprovider", "--durations=0"]
    spread = ["-n", str(processes), "--dist", "worksteal"] if processes > 1 else []
    variables = os.environ | {VARIABLE: str(folder), "PYTHONPATH": str(tree)}
    with (folder / LOG).open("wb") as log:
        subprocess.run([*command, *spread, *chosen], cwd=tree, env=variables, stdout=log, stderr=log, check=False)
    (folder / DONE).touch()


def read(folder: Path, wanted: Collection[int]) -> Coverage:
    """What was recorded, for the ``wanted`` blocks. What a module executes when it is imported, all of its tests need."""
    tests: dict[str, KnownTest] = {}
    import_seconds: dict[str, float] = {}
    touching: defaultdict[int, list[str]] = defaultdict(list)
    for found in _records(folder):
        executed = zlib.decompress(found.executed)
        if "::" not in found.name:
            import_seconds[found.name] = min(found.seconds, import_seconds.get(found.name, found.seconds))
        elif found.passed:
            tests[found.name] = KnownTest(found.name, found.seconds, executed.count(1))
        for block in wanted:
            if executed[block]:
                touching[block].append(found.name)
    of_module: defaultdict[str, list[KnownTest]] = defaultdict(list)
    for test in tests.values():
        of_module[test.module].append(test)
    by_block = {
        block: list({test.name: test for name in names for test in _meant(name, tests, of_module)}.values())
        for block, names in touching.items()
    }
    return Coverage(tests, by_block, import_seconds)


def _meant(name: str, tests: Mapping[str, KnownTest], of_module: Mapping[str, list[KnownTest]]) -> Sequence[KnownTest]:
    if "::" not in name:
        return of_module.get(name, [])
    return [tests[name]] if name in tests else []


def _records(folder: Path) -> Iterator[Record]:
    for path in sorted(folder.glob("*.records")):
        with path.open("rb") as file:
            while True:
                try:
                    yield Record(*pickle.load(file))
                except (EOFError, pickle.UnpicklingError):  # the run was ended
                    break
