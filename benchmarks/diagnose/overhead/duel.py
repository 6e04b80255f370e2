"""Two processes that run the same program in turns: so both see the same machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import IO, Any

from benchmarks.diagnose.overhead.programs import Load
from dllint.diagnose.schedule import DENSE_STEPS

ROOT = Path(__file__).parents[3]


class Runner:
    """A program under way, by itself or diagnosed."""

    def __init__(self, load: Load, script: Path, device: str, *, diagnosed: bool) -> None:
        receive, send = os.pipe()
        steps = load.steps if device == "cpu" else load.gpu_steps
        own = ["-m", "dllint", "diagnose", "--no-replay", "--quiet"] if diagnosed else []
        self._process = subprocess.Popen(
            [sys.executable, *own, str(script), device, str(steps), str(send)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(send,),
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **dict(load.environment)},
            text=True,
        )
        os.close(send)
        self._answers = os.fdopen(receive)

    def chunk(self) -> dict[str, float]:
        """Make some steps; what they cost."""
        print("go", file=self._input, flush=True)
        return self._answer()

    def end(self) -> tuple[str, str]:
        """The digest of the weights, and what was printed."""
        self._input.close()
        digest = self._answer()["digest"]
        assert self._process.stdout is not None
        printed = self._process.stdout.read()
        self._process.wait()
        return digest, printed

    @property
    def _input(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _answer(self) -> dict[str, Any]:
        line = self._answers.readline()
        if not line:
            assert self._process.stdout is not None
            raise RuntimeError(f"the program ended early:\n{self._process.stdout.read()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def duel(load: Load, script: Path, device: str, pairs: int) -> dict[str, Any]:
    """The figures of one program. The first chunks of each warm up and hold the steps that are looked at closely."""
    script.write_text(load.text, encoding="utf-8")
    plain, diagnosed = (Runner(load, script, device, diagnosed=watched) for watched in (False, True))
    clock = "cpu" if device == "cpu" else "wall"
    steps = load.steps if device == "cpu" else load.gpu_steps
    warm = DENSE_STEPS // steps + 1
    first = [(plain.chunk(), diagnosed.chunk()) for _ in range(warm)][-1]
    chunks = []
    for number in range(pairs):
        # Who begins gets the colder caches.
        if number % 2:
            theirs, ours = plain.chunk(), diagnosed.chunk()
        else:
            ours, theirs = diagnosed.chunk(), plain.chunk()
        chunks.append((theirs, ours))
    (digest, _), (watched_digest, printed) = plain.end(), diagnosed.end()
    ratios = [ours[clock] / theirs[clock] - 1 for theirs, ours in chunks]
    low, high = interval(ratios)
    return {
        "steps": steps * (pairs + warm),
        "milliseconds_per_step": round(median(theirs[clock] for theirs, _ in chunks) / steps * 1000, 4),
        "overhead": round(median(ratios), 4),
        "interval": [round(low, 4), round(high, 4)],
        "whole": round(sum(ours[clock] for _, ours in chunks) / sum(theirs[clock] for theirs, _ in chunks) - 1, 4),
        "said": next((line for line in printed.splitlines() if "observation took" in line), ""),
        "same_weights": digest == watched_digest,
        "memory_growth_mib": {
            "plain": _grown(first[0], chunks[-1][0]),
            "diagnosed": _grown(first[1], chunks[-1][1]),
        },
    }


def interval(values: Sequence[float], draws: int = 2000) -> tuple[float, float]:
    """The 95 % interval of the median (percentile bootstrap)."""
    random = Random(0)
    medians = sorted(median(random.choices(values, k=len(values))) for _ in range(draws))
    return medians[draws // 40], medians[-draws // 40]


def _grown(first: dict[str, float], last: dict[str, float]) -> float:
    return round((last["memory"] - first["memory"]) / 2**20, 1)
