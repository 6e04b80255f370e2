"""Mutants against tests: several processes that fork a child for each trial (``benchmarks.mutation.zygote``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import Any, Final, Self

from benchmarks.mutation.coverage import KnownTest
from benchmarks.mutation.planning import Plan
from benchmarks.mutation.sampling import Drawn

#: What tests import that takes seconds.
LIBRARIES: Final = ("torch", "tensorflow", "keras", "onnx", "onnxruntime", "onnxscript", "pandas", "sklearn", "hypothesis")
#: A trial that takes so many times what its tests took, and some seconds more, does not end.
_SLOWER: Final = 5
_MORE_S: Final = 30


class Verdict(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    NOT_COVERED = "not covered"
    #: The tests could not be run.
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on a mutant, the test that noticed it, seconds, tests run, and tests left out that execute it, too."""

    verdict: Verdict
    by: str = ""
    seconds: float = 0.0
    ran: int = 0
    left_out: int = 0


class Zygote:
    """A process that tries mutants in a tree of its own. It has imported the ``libraries`` that are installed."""

    def __init__(self, tree: Path, libraries: Sequence[str] = LIBRARIES) -> None:
        self.tree: Final = tree
        variables = os.environ | {
            "PYTHONPATH": str(tree),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(tree / ".hypothesis"),
        }
        command = [sys.executable, "-m", "benchmarks.mutation.zygote", *libraries]
        self._process = subprocess.Popen(
            command,
            cwd=tree,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    def run(
        self,
        tests: Sequence[KnownTest],
        *,
        file: str = "",
        text: str | None = None,
        keep_on: bool = False,
        more_seconds: int = _MORE_S,
    ) -> dict[str, Any]:
        """The outcome of the tests where a file has another text."""
        limit = int(_SLOWER * sum(test.seconds for test in tests)) + more_seconds
        trial = {
            "file": file,
            "text": text,
            "tests": [test.name for test in tests],
            "cpu_s": limit,
            "wall_s": 5 * limit,
            "all": keep_on,
        }
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process has no pipes")
        self._process.stdin.write(json.dumps(trial) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.tree} has ended")
        return dict(json.loads(line))

    def tried(self, drawn: Drawn, plan: Plan, more_seconds: int = _MORE_S) -> Outcome:
        """The verdict on a mutant: its tests run until the first one fails. A trial may take five times what its tests have
        taken, and ``more_seconds``, of CPU time."""
        text = drawn.mutant.applied((self.tree / drawn.file).read_bytes()).decode()
        seconds, ran = 0.0, 0
        for tests in plan.rounds:
            found = self.run(tests, file=drawn.file, text=text, more_seconds=more_seconds)
            seconds += found["seconds"]
            ran += found["ran"]
            if found["status"] is None:
                verdict = Verdict.TIMED_OUT if found["timed_out"] else Verdict.KILLED
                return Outcome(verdict, tests[0].name, round(seconds, 1), ran, plan.left_out)
            if found["failed"]:
                return Outcome(Verdict.KILLED, found["failed"][0], round(seconds, 1), ran, plan.left_out)
            if found["status"]:
                return Outcome(Verdict.BROKEN, f"exit status {found['status']}", round(seconds, 1), ran, plan.left_out)
        return Outcome(Verdict.SURVIVED if plan.rounds else Verdict.NOT_COVERED, "", round(seconds, 1), ran, plan.left_out)


def all_tried(plans: Iterable[tuple[Drawn, Plan]], trees: Sequence[Path]) -> Iterator[tuple[Drawn, Outcome]]:
    """The outcomes, as they come, of a process in each of the trees."""
    free: Queue[Zygote] = Queue()

    def one(drawn: Drawn, plan: Plan) -> tuple[Drawn, Outcome]:
        zygote = free.get()
        try:
            return drawn, zygote.tried(drawn, plan)
        finally:
            free.put(zygote)

    with ExitStack() as stack:
        for tree in trees:
            free.put(stack.enter_context(Zygote(tree)))
        pool = stack.enter_context(ThreadPoolExecutor(len(trees)))
        for done in as_completed([pool.submit(one, *item) for item in plans]):
            yield done.result()


def failing_without_a_fault(zygote: Zygote, tests: Sequence[KnownTest]) -> set[str]:
    """Those of the tests that fail in a trial in which nothing is changed."""
    found = zygote.run(tests, keep_on=True)
    if found["status"] is None:
        return {test.name for test in tests}
    failed = set(found["failed"])
    return {test.name for test in tests if test.name in failed or test.module in failed}
