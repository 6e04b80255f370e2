"""Learning rate schedules: how far they have come, and which share of the configured rate was in effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import accumulate
from operator import mul
from types import MethodType
from typing import Any, Concatenate, Final, ParamSpec

from torch.optim.lr_scheduler import LambdaLR, LRScheduler, MultiplicativeLR
from torch.optim.optimizer import Optimizer

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.trial import undisturbed
from dllint.diagnose.records import ScheduleRecord

P = ParamSpec("P")

#: Schedules that are followed; a program that makes one for each epoch does not need more.
_MOST: Final = 16
#: The one whose largest rate is its own argument, not that of the optimizer.
_ONE_CYCLE: Final = "OneCycleLR"
#: The share of the configured rate that counts as near it, and how many steps a schedule is followed to find it.
_NEAR: Final = 0.5
_HORIZON: Final = 1_000_000
#: Steps of a schedule whose factors multiply, each of which needs all before it.
_MOST_MULTIPLIED: Final = 10_000


class _Course:
    """What a schedule has done so far; ``step`` counts without the one of its construction."""

    def __init__(self, kind: str, place: SourcePlace | None, share: float) -> None:
        self.kind, self.place = kind, place
        self.first = self.last = self.highest = share
        self.steps = 0
        #: Computes the share at later steps from functions of the program; ``None`` once the share has been near 1.
        self.later: _Later | None = None
        self.track = ""
        self.stepped_at: SourcePlace | None = None
        self.called_at: SourcePlace | None = None

    def add(self, share: float, steps: int) -> None:
        self.last, self.highest, self.steps = share, max(self.highest, share), max(self.steps, steps)
        if self.highest > _NEAR:
            self.later = None

    @property
    def reaches(self) -> bool:
        """Whether the share comes near 1 in a later step, as far as that takes functions of the program."""
        return self.later is None or self.later.is_near(self.steps, self.last)


class _Later:
    """The functions of the program that give a schedule's factors, for its later steps."""

    def __init__(self, functions: Sequence[Callable[[int], float]], *, is_product: bool) -> None:
        self._functions = functions
        self._is_product = is_product

    def is_near(self, steps: int, last: float) -> bool:
        """Whether one of them brings the rate near the configured one; not if it fails. Called after the run, on
        copies, if not of what a method belongs to, which may be all of a program."""
        with undisturbed(), suppress(Exception):
            for given in self._functions:
                function = given if isinstance(given, MethodType) else deepcopy(given)
                shares = _products(function, steps, last) if self._is_product else _ahead(function, steps)
                if any(share > _NEAR for share in shares):
                    return True
        return False


def _products(function: Callable[[int], float], steps: int, last: float) -> Iterator[float]:
    """The shares at later steps, each a multiple of the one before."""
    factors = (float(function(step)) for step in range(steps + 1, steps + _MOST_MULTIPLIED))
    return accumulate(factors, mul, initial=last)


def _ahead(function: Callable[[int], float], steps: int) -> Iterator[float]:
    """The factors at later steps, each a tenth further away than the one before."""
    distance = 1.0
    while distance < _HORIZON:
        yield float(function(steps + int(distance)))
        distance *= 1.1


class Schedules:
    """The schedules of torch that change rates by ``step()`` without a metric; those of which others are made, too.
    ``own`` gives the optimizer behind the wrapper of a training library."""

    def __init__(self, monitor: Monitor, patches: Patches, own: Callable[[Optimizer], Optimizer]) -> None:
        self._monitor = monitor
        self._own = own
        self._patches = patches
        self._courses: IdentityMap[LRScheduler, _Course] = IdentityMap()
        self._all: list[_Course] = []
        self._waiting: IdentityMap[Optimizer, list[_Course]] = IdentityMap()

    def install(self) -> None:
        """Follow schedules from now on."""
        self._patches.wrap(LRScheduler, "step", self._step)

    def at_step(self, optimizer: Optimizer, key: str, depth: int) -> None:
        """An optimizer is about to step, which is asked for by the frame so many above."""
        waiting = self._waiting.get(optimizer)
        if waiting:
            place = next(iter(user_places(depth + 1, 1)), None)
            for course in waiting:
                course.track, course.stepped_at = key, place
            waiting.clear()

    def records(self) -> tuple[ScheduleRecord, ...]:
        """The schedules of optimizers that have stepped."""
        return tuple(
            ScheduleRecord(
                one.kind,
                one.track,
                one.place,
                one.stepped_at,
                one.steps,
                one.first,
                one.last,
                one.highest,
                one.reaches,
                one.called_at,
            )
            for one in self._all
            if one.track
        )

    def _step(
        self, original: Callable[Concatenate[Any, P], Any], scheduler: LRScheduler, *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        result = original(scheduler, *args, **kwargs)
        if self._monitor.active:
            self._note(scheduler)
        return result

    def _note(self, scheduler: LRScheduler) -> None:
        course = self._courses.get(scheduler)
        if course is None and len(self._all) >= _MOST:
            return
        share = _share(scheduler)
        if share is None:
            return
        if course is not None:
            if course.called_at is None:
                course.called_at = next(iter(user_places(3, 1)), None)
            course.add(share, int(attribute(scheduler, "_step_count", 1)) - 1)
            return
        optimizer = self._own(scheduler.optimizer)
        course = _Course(type(scheduler).__name__, next(iter(user_places(3, 1)), None), share)
        if isinstance(scheduler, LambdaLR | MultiplicativeLR) and share <= _NEAR:
            course.later = _Later(tuple(scheduler.lr_lambdas), is_product=isinstance(scheduler, MultiplicativeLR))
        self._courses[scheduler] = course
        self._all.append(course)
        if optimizer in self._waiting:
            self._waiting[optimizer].append(course)
        else:
            self._waiting[optimizer] = [course]


def _share(scheduler: LRScheduler) -> float | None:
    """The rate in effect as a share of the configured one, the largest of all groups; ``None`` where rates are tensors."""
    own = type(scheduler).__name__ == _ONE_CYCLE
    shares = []
    for group, base in zip(scheduler.optimizer.param_groups, scheduler.base_lrs, strict=False):
        rate, peak = group["lr"], group["max_lr"] if own and "max_lr" in group else base
        if not isinstance(rate, int | float) or not isinstance(peak, int | float):
            return None
        if peak > 0:
            shares.append(rate / peak)
    return max(shares, default=None)
