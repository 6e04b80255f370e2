"""Learning rate schedules: how far they have come, and which share of the configured rate was in effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

from torch.optim.lr_scheduler import LRScheduler
from torch.optim.optimizer import Optimizer

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.records import ScheduleRecord

P = ParamSpec("P")

#: Schedules that are followed; a program that makes one for each epoch does not need more.
_MOST: Final = 16
#: The one whose largest rate is its own argument, not that of the optimizer.
_ONE_CYCLE: Final = "OneCycleLR"


class _Course:
    """What a schedule has done so far; ``step`` counts without the one of its construction."""

    def __init__(self, kind: str, place: SourcePlace | None, share: float) -> None:
        self.kind, self.place = kind, place
        self.first = self.last = self.highest = share
        self.steps = 0
        self.track = ""
        self.stepped_at: SourcePlace | None = None

    def add(self, share: float, steps: int) -> None:
        self.last, self.highest, self.steps = share, max(self.highest, share), max(self.steps, steps)


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
            ScheduleRecord(one.kind, one.track, one.place, one.stepped_at, one.steps, one.first, one.last, one.highest)
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
            course.add(share, int(attribute(scheduler, "_step_count", 1)) - 1)
            return
        optimizer = self._own(scheduler.optimizer)
        course = _Course(type(scheduler).__name__, next(iter(user_places(3, 1)), None), share)
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
