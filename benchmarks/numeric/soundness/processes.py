"""Programs shared out over processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import torch

from benchmarks.numeric.soundness.check import Verdict, check
from benchmarks.numeric.soundness.generator import generate

#: So many programs are given to a process at once.
_BATCH: Final = 50


def verdicts(seeds: range, jobs: int) -> Iterator[tuple[int, Verdict]]:
    """What is found of the programs of seeds, in order."""
    torch.set_num_threads(1)
    if jobs == 1:
        yield from map(_checked, seeds)
        return
    with closing(multiprocessing.get_context("spawn").Pool(jobs, torch.set_num_threads, (1,))) as pool:
        yield from pool.imap(_checked, seeds, _BATCH)


def _checked(seed: int) -> tuple[int, Verdict]:
    return seed, check(generate(seed), seed)
