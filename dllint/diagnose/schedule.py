"""When to look closely: every step at first, then so rarely that it costs no more than agreed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import Final

DENSE_STEPS: Final = 20
#: The share of the program's own time that observation may take after the dense steps.
BUDGET: Final = 0.03
_SLOWEST: Final = 1000
_PATIENCE: Final = 50


class Schedule:
    """Decides which steps are sampled. Time spent inside :meth:`measured` is observation, all other time is the program's.

    The period between samples is chosen from the cost of a sampled step against the program's own time per step. It varies by a
    fifth at random (with a generator of its own), so that programs with a rhythm are seen at all of its beats.
    """

    def __init__(self, budget: float = BUDGET, clock: Callable[[], float] = perf_counter) -> None:
        self._budget = budget
        self._clock = clock
        self._random = Random(0)
        self._started = clock()
        self._own = 0.0
        self._own_before_sample = 0.0
        self._depth = 0
        self._after_dense: tuple[float, float] | None = None
        self._ticks = 0
        self._cost = 0.0
        self._steps: dict[str, int] = {}
        self._due: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        #: Whether the steps now under way are to be looked at closely.
        self.sampling = True

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Count the time of the block as observation; blocks may be nested."""
        self._depth += 1
        begun = self._clock()
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._own += self._clock() - begun

    def finish(self, track: str) -> int:
        """A step of a track has ended; its number, from 1."""
        self._ticks += 1
        step = self._steps[track] = self._steps.get(track, 0) + 1
        self._seen[track] = self._ticks
        if self.sampling and step >= self._due.get(track, 0):
            self._due[track] = step + self._period(step)
        if step == DENSE_STEPS and self._after_dense is None:
            self._after_dense = (self._clock(), self._own)
        was_sampling, self.sampling = self.sampling, self._is_any_due()
        if was_sampling or self.sampling:
            self._learn_cost(was_sampling)
        return step

    def _learn_cost(self, was_sampling: bool) -> None:
        """Smooth the cost of a sampled step over samples."""
        if was_sampling:
            latest = self._own - self._own_before_sample
            self._cost = latest if not self._cost else 0.7 * self._cost + 0.3 * latest
        self._own_before_sample = self._own

    def _period(self, step: int) -> int:
        if step < DENSE_STEPS:
            return 1
        elapsed = self._clock() - self._started
        user_step = max((elapsed - self._own) / self._ticks, 1e-7)
        # Half of the budget is for what happens at every step.
        period = min(max(self._cost / (user_step * self._budget / 2), 5), _SLOWEST)
        return max(1, round(period * self._random.uniform(0.8, 1.2)))

    def _is_any_due(self) -> bool:
        """Whether the next step of a track that is still stepping is to be sampled."""
        return any(
            self._steps[track] + 1 >= due and self._ticks - self._seen[track] <= _PATIENCE for track, due in self._due.items()
        )

    @property
    def own_share(self) -> float:
        """The measured share of observation in the program's own time since the dense steps, 0 if there was none."""
        if self._after_dense is None:
            return 0.0
        since, own = self._after_dense
        spent = self._own - own
        return spent / max(self._clock() - since - spent, 1e-9)

    @property
    def seconds(self) -> float:
        """Time since the run began."""
        return self._clock() - self._started
