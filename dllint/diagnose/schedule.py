"""Sampling of steps: every step at first, then as rarely as the budget of overhead demands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import ceil, log2
from random import Random
from statistics import median
from time import perf_counter
from types import TracebackType
from typing import Final

DENSE_STEPS: Final = 20
_LEAST_DENSE: Final = 5
_MOST_STAGES: Final = 8
#: The share of the program's own time that observation may take after the dense steps.
BUDGET: Final = 0.03
_SLOWEST: Final = 100_000
_PATIENCE: Final = 50
_REMEMBERED: Final = 15


class Schedule:
    """Decides which steps are sampled. Time spent inside :meth:`measured` is observation, all other time is the program's.

    The period between samples is chosen from the cost of a sampled step against the program's own time per step. It varies by a
    fifth at random (with a generator of its own), so that programs with a rhythm are seen at all of its beats.

    With a fixed ``period`` nothing depends on time: the same run is sampled alike on any machine, at whatever cost.
    If ``aligned``, periods are powers of two and samples multiples of them: processes that train together then look at the same
    steps, the slowest one's, without talking about it.
    """

    def __init__(
        self,
        budget: float = BUDGET,
        clock: Callable[[], float] = perf_counter,
        *,
        period: int | None = None,
        aligned: bool = False,
    ) -> None:
        self._budget = budget
        self._fixed = period
        self._aligned = aligned
        self._clock = clock
        self._random = Random(0)
        self._started = clock()
        self._own = 0.0
        self._depth = 0
        self._begun = 0.0
        self._after_dense: tuple[float, float] | None = None
        self._ticks = 0
        self._latest = (0.0, 0.0)
        self._paces: deque[float] = deque(maxlen=_REMEMBERED)
        self._costs: deque[float] = deque(maxlen=_REMEMBERED)
        self._steps: dict[str, int] = {}
        self._due: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        #: The tracks and their later stages with the steps before which they are sampled densely.
        self._stages: dict[str, int] = {}
        self._begun_stages = 0
        #: Whether the steps now under way are to be looked at closely.
        self.sampling = True

    def measured(self) -> Schedule:
        """The time of a ``with`` block of this counts as observation; blocks may be nested."""
        return self

    # Entered several times in every step: a generator as context manager would be most of its own measure.
    def __enter__(self) -> None:
        if not self._depth:
            self._begun = self._clock()
        self._depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._depth -= 1
        if not self._depth:
            self._own += self._clock() - self._begun

    def finish(self, track: str) -> int:
        """A step of a track has ended; its number, from 1."""
        self._ticks += 1
        self._learn()
        step = self._steps[track] = self._steps.get(track, 0) + 1
        self._seen[track] = self._ticks
        if track not in self._stages:
            self.begin(track, step - 1)
        if self.sampling and step >= self._due.get(track, 0):
            self._due[track] = self._next(step, self._stages[track])
        if step == DENSE_STEPS and self._after_dense is None:
            self._after_dense = (self._clock(), self._own)
        self.sampling = self._is_any_due()
        return step

    def _learn(self) -> None:
        """Note how long the step that has just ended took, by the program and by observation."""
        now = self._clock()
        own = self._own + (now - self._begun if self._depth else 0.0)
        spent, elapsed = own - self._latest[1], now - self._latest[0]
        self._latest = (now, own)
        if self._ticks > 1:
            self._paces.append(elapsed - spent)
            if self.sampling:
                self._costs.append(spent)

    def begin(self, track: str, step: int) -> None:
        """A track begins after a step, or another optimizer goes on with it: a stage of the program. All steps of the first
        one are sampled at first, of the later ones the fewer, and no longer of those after many."""
        self._begun_stages += 1
        if self._begun_stages <= _MOST_STAGES:
            self._stages[track] = step + max(DENSE_STEPS // self._begun_stages, _LEAST_DENSE)
            self._due[track] = step + 1
        else:
            self._stages.setdefault(track, 0)

    def _next(self, step: int, dense: int) -> int:
        """The step to sample after this one."""
        if step < dense or not self._costs:
            return step + 1
        if self._fixed is not None:
            return step + self._fixed
        period = self._period()
        if not self._aligned:
            return step + max(1, round(period * self._random.uniform(0.8, 1.2)))
        power = 1 << ceil(log2(period))
        return (step // power + 1) * power

    def _period(self) -> float:
        """How many steps a sampled one must last for."""
        # Medians: pauses between epochs are not the pace of steps. Half of the budget is for what happens at every step.
        affordable = max(median(self._paces), 1e-7) * self._budget / 2
        return min(max(median(self._costs) / affordable, 5), _SLOWEST)

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
