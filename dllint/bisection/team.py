"""Several processes under a launcher such as torchrun: all of them search alike, each runs its share of the samples.

What a process has found out of its samples goes to all others, so that every one takes the same decisions; the first reports.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Protocol, TypeVar

from dllint.bisection.errors import BisectionError

T = TypeVar("T")


class Team(Protocol):
    """The processes of one search; ``rank`` counts from 0."""

    rank: int
    size: int

    def gather(self, mine: Any) -> Sequence[Any]:
        """What each process gives, in the order of ranks. Raises :class:`BisectionError` if one does not answer."""
        ...


class Alone:
    """One process."""

    rank, size = 0, 1

    def gather(self, mine: Any) -> Sequence[Any]:
        """What was given."""
        return [mine]


class Gloo:
    """Processes that speak through ``torch.distributed`` on the CPU."""

    def __init__(self, patience: float) -> None:
        """Meet the others; ``patience`` is how many seconds any answer may take."""
        import torch.distributed

        self._group = torch.distributed
        self._patience = patience
        try:
            self._group.init_process_group("gloo", timeout=timedelta(seconds=patience))
        except (RuntimeError, ValueError) as error:
            raise _lost(patience, error) from error
        self.rank, self.size = self._group.get_rank(), self._group.get_world_size()

    def gather(self, mine: Any) -> Sequence[Any]:
        """What each process gives."""
        found: list[Any] = [None] * self.size
        try:
            self._group.all_gather_object(found, mine)
        except RuntimeError as error:
            raise _lost(self._patience, error) from error
        return found


def launched(patience: float) -> Team:
    """The team that a launcher has set up, by the variables ``RANK`` and ``WORLD_SIZE``."""
    return Gloo(patience) if int(os.environ.get("WORLD_SIZE", "1")) > 1 and "RANK" in os.environ else Alone()


def one_by_one(team: Team, work: Callable[[], T]) -> T:
    """What the work makes, one process after the other, so that none writes a file that another is reading.

    Raises the :class:`BisectionError` of any process in all of them.
    """
    made: list[T] = []
    for turn in range(team.size):
        failure = None
        if turn == team.rank:
            try:
                made.append(work())
            except BisectionError as error:
                failure = error
        raised(team.gather(failure))
    return made[0]


def raised(failures: Sequence[BisectionError | None]) -> None:
    """Raise the first failure, if there is one."""
    for failure in failures:
        if failure is not None:
            raise failure


def alike(team: Team, mark: str) -> None:
    """Raises :class:`BisectionError` unless all processes have the same mark."""
    if len(set(team.gather(mark))) > 1:
        text = "the processes have opened different models or samples"
        raise BisectionError(text, "load weights and samples from files, or fix the seeds they are made from")


def _lost(patience: float, error: Exception) -> BisectionError:
    text = f"another process has failed or did not answer within {patience:g} s ({str(error).splitlines()[0][:120]})"
    return BisectionError(text, "see what it wrote; what was run is kept, the same command goes on from there")
