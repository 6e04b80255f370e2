"""The core of every diagnosis: probes report events to it, and it keeps the record from which symptoms are judged.

A *track* is an optimizer; its steps count from 1. A *loss* is a source line that asks for gradients. For every optimizer, a
probe calls :meth:`Monitor.track` once; during a step :meth:`Monitor.loss`, ``layer`` and ``parameter`` for what is new and, if
``monitor.sampling``, collects details; then :meth:`Monitor.finish_step` once, with a ``StepDetail`` if the step was sampled.
That call may raise :class:`dllint.diagnose.limits.Stopped`. All work of a probe is inside ``with monitor.measured():``, from
which ``Schedule`` takes the cost of the observation and sets the sampling rate. ``Monitor.record`` gives the ``RunRecord``:
plain data without framework objects, written and read by ``serial``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any, Final
from weakref import ref

from dllint.diagnose.boundary import ENDINGS, Attempt, Failures
from dllint.diagnose.decisions import Decisions
from dllint.diagnose.history import Samples, Series
from dllint.diagnose.limits import Ending, Limits, TookTooLongError, resident_memory
from dllint.diagnose.pace import Pace
from dllint.diagnose.places import SourcePlace, first_lines, user_frames
from dllint.diagnose.ranks.team import launched_team
from dllint.diagnose.records import (
    BaselineRecord,
    BatchRecord,
    ClippingRecord,
    DiscardedGradients,
    EvaluationRecord,
    ExperimentRecord,
    HeldOutRecord,
    LayerRecord,
    LayerSample,
    LossCall,
    LossRecord,
    MetricRecord,
    NumericFault,
    OptimizerRecord,
    ParameterRecord,
    ParameterSample,
    RejectedCall,
    RunRecord,
    SamplerRecord,
    ScheduleRecord,
    StepRecord,
    TrackRecord,
    UnusedGradients,
)
from dllint.diagnose.schedule import Schedule
from dllint.diagnose.watchdog import Patience

_MOST_FAULTS: Final = 20
_MOST_HELD_OUT: Final = 8
_MEMORY_EVERY: Final = 16


@dataclass(slots=True)
class StepDetail:
    """The details that a probe hands over with a sampled step."""

    layers: Mapping[str, LayerSample] = field(default_factory=dict)
    parameters: Mapping[str, ParameterSample] = field(default_factory=dict)
    groups: tuple[Mapping[str, Any], ...] = ()
    batch: BatchRecord | None = None
    clipping: ClippingRecord | None = None
    calls: tuple[LossCall, ...] = ()
    modes: Mapping[str, bool] = field(default_factory=dict)


#: Called with every event: a kind (``step``, ``progress``, ``fault``, ``note``) and its record.
Listener = Callable[[str, Any], None]


@dataclass(slots=True)
class _Track:
    """A track as it grows."""

    key: str
    optimizer: OptimizerRecord
    steps: int = 0
    accumulated: int = 1
    initial: str = ""
    counts: Counter[str] = field(default_factory=Counter)

    def record(self) -> TrackRecord:
        return TrackRecord(
            self.key, self.optimizer, self.steps, accumulated=self.accumulated, initial=self.initial, **self.counts
        )


class Monitor:
    """Gathers a run's record within bounds of memory, and decides when to sample and when to end.

    It is inert in processes forked from the one that made it.
    """

    def __init__(
        self,
        limits: Limits,
        listener: Listener,
        give_up: Callable[[str], None],
        schedule: Schedule | None = None,
        *,
        polite: bool = False,
    ) -> None:
        self.limits = limits
        self.schedule = schedule or Schedule()
        self.ending = Ending(give_up, polite=polite)
        #: Several processes train together: nothing may end one of them alone, except for what all see alike.
        self.is_distributed = launched_team().size > 1
        #: Whether what only tests ask for is measured, too.
        self.thorough = False
        #: Whether probes are to do anything in this process.
        self.active = True
        _silence_in_children(self)
        self._listener = listener
        self._failures = Failures(self.note)
        self._patience, self._give_up = Patience(), give_up
        self._pace = Pace()
        self._frameworks: dict[str, None] = {}
        self._tracks: dict[str, _Track] = {}
        self._losses: dict[str, tuple[LossRecord, Series]] = {}
        self._metrics: dict[str, Series] = {}
        self._layers: dict[str, LayerRecord] = {}
        self._parameters: dict[str, ParameterRecord] = {}
        self._steps: Samples[StepRecord] = Samples()
        self._faults: list[NumericFault] = []
        self._notes: dict[str, None] = {}
        self._experiments: list[ExperimentRecord] = []
        self._baselines: list[BaselineRecord] = []
        self._closing: list[LossCall] = []
        self._is_grouped = False
        #: Is called when the program's processes are known to form a group.
        self.at_group: Callable[[], object] = lambda: None
        #: Is called with the reason when the processes of a launcher are to end together, say at :meth:`end_after`.
        self.at_proposal: Callable[[str], None] = lambda reason: None
        #: Is called with the model when a library's call that trains it raises.
        self.at_failure: Callable[[object], None] = lambda model: None
        #: What the program has needed of the accelerator's memory at most, in bytes.
        self.device_memory: Callable[[], int] = lambda: 0
        self._appointment: tuple[int, str] | None = None
        self._unused: list[UnusedGradients] = []
        self._switched_off: dict[str, SourcePlace] = {}
        self._rejected: list[RejectedCall] = []
        self._schedules: tuple[ScheduleRecord, ...] = ()
        self._discarded: tuple[DiscardedGradients, ...] = ()
        self._evaluations: dict[tuple[str, SourcePlace | None], int] = {}
        self._samplers: list[SamplerRecord] = []
        self._held_out: list[HeldOutRecord] = []
        #: What decides by a measure.
        self.decisions = Decisions()
        self._entered: set[CodeType] = set()

    @property
    def sampling(self) -> bool:
        """Whether the step under way is to be looked at closely."""
        return self.schedule.sampling

    @property
    def progress(self) -> dict[str, int]:
        """How many steps each track has finished; may be asked from any thread."""
        return {key: track.steps for key, track in list(self._tracks.items())}

    def measured(self) -> AbstractContextManager[None]:
        """Time inside the block counts as observation."""
        return self.schedule.measured()

    def failed(self, what: str, error: BaseException) -> None:
        """Something could not be observed or tried; it is noted once."""
        self._failures.failed(what, error)

    def attempt(self, what: str) -> Attempt:
        """A block of observation: what it raises is noted, and neither the program nor the report sees it."""
        return self._failures.attempt(what)

    @contextmanager
    def attempt_afterwards(self, what: str, times: int = 1) -> Iterator[None]:
        """Run an experiment after the program. The user's code in it may exit or hang, and the user may interrupt it; each of
        these ends this block only. Its time limit is ``times`` that of one trial."""

        def give_up(reason: str) -> None:
            self.failed(what, TookTooLongError(reason))
            self._give_up("time")

        lasting = self._patience.lasting(self.schedule.seconds, give_up, times)
        with self._failures.attempt(what, (*ENDINGS, TookTooLongError)), lasting:
            yield

    def guarded(self, what: str, observe: Callable[..., None]) -> Callable[..., None]:
        """Wrap a hook so that its failures are recorded and do no harm."""

        def hook(*args: Any, **kwargs: Any) -> None:
            try:
                observe(*args, **kwargs)
            except Exception as error:
                self.failed(what, error)

        return hook

    def framework(self, name: str) -> None:
        """Record that a framework is in use."""
        self._frameworks[name] = None

    def track(self, key: str, optimizer: OptimizerRecord) -> None:
        """An optimizer that is going to step."""
        self._tracks.setdefault(key, _Track(key, optimizer))

    def steps_of(self, key: str) -> int:
        """How many steps a track has finished."""
        return self._tracks[key].steps if key in self._tracks else 0

    @property
    def steps(self) -> int:
        """How many steps the busiest track has finished."""
        return max((track.steps for track in self._tracks.values()), default=0)

    def initial_weights(self, key: str, fingerprint: str) -> None:
        """The weights of a track before its first step."""
        if key in self._tracks:
            self._tracks[key].initial = fingerprint

    def count(self, key: str, **counts: int) -> None:
        """Add to the counts of a track (``zeroed``, ``clipped``, ``skipped``)."""
        if key in self._tracks:
            own = self._tracks[key].counts
            for name, number in counts.items():
                own[name] += number

    def layer(self, record: LayerRecord) -> None:
        """A layer is known; a later record of the same name replaces the earlier one."""
        self._layers[record.name] = record

    def parameter(self, record: ParameterRecord) -> None:
        """A parameter is known; a later record of the same name replaces the earlier one."""
        self._parameters[record.name] = record

    def loss(self, record: LossRecord, step: int, value: float) -> None:
        """Record a loss of a step; ``record`` needs no values."""
        known = self._losses.get(record.key)
        if known is None:
            known = self._losses[record.key] = (record, Series())
        known[1].add(step, value)

    def metric(self, name: str, step: int, value: float) -> None:
        """Record a metric."""
        self._metrics.setdefault(name, Series()).add(step, value)

    def experiment(self, record: ExperimentRecord) -> None:
        """Record an experiment with a copy of a model."""
        self._experiments.append(record)

    def baseline(self, record: BaselineRecord) -> None:
        """Record the comparison with a baseline."""
        self._baselines.append(record)

    def fault(self, fault: NumericFault) -> None:
        """Record a number that is not finite. Further ones are dropped after a few, or if the run is about to end for one."""
        if len(self._faults) < _MOST_FAULTS and self.ending.reason is None:
            self._faults.append(fault)
            self._announce("fault", fault)

    def closing(self, call: LossCall) -> None:
        """What the loss function would be given at the end for a batch that was seen."""
        self._closing.append(call)

    def unused(self, record: UnusedGradients) -> None:
        """Record that no optimizer has stepped."""
        self._unused.append(record)

    def rejected(self, call: RejectedCall) -> None:
        """Record that a loss function has raised for its arguments."""
        if not self._rejected:
            self._rejected.append(call)

    def protocol(self, schedules: tuple[ScheduleRecord, ...], discarded: tuple[DiscardedGradients, ...]) -> None:
        """Record how far the schedules of learning rates have come, and which gradients no step has used."""
        self._schedules, self._discarded = (*self._schedules, *schedules), discarded

    def sampler(self, record: SamplerRecord) -> None:
        """Record that a sampler leaves out a part of its data set."""
        if record not in self._samplers:
            self._samplers.append(record)

    def held_out(self, record: HeldOutRecord) -> None:
        """Record data that a model is evaluated on, once for each place."""
        if len(self._held_out) < _MOST_HELD_OUT and all(known.place != record.place for known in self._held_out):
            self._held_out.append(record)

    def scheduled(self, record: ScheduleRecord) -> None:
        """Record that the rates of a track are given by a function of the number of the step."""
        self._schedules = (*self._schedules, record)

    def constructing(self, frame: FrameType) -> None:
        """Record the functions that are under way while an object of a library is constructed."""
        self._entered.update(user.f_code for user in user_frames(frame))

    def evaluated_in_training(self, model: str, place: SourcePlace | None) -> None:
        """Record that a model was evaluated in training mode."""
        self._evaluations[model, place] = self._evaluations.get((model, place), 0) + 1

    def switched_off(self, model: str, place: SourcePlace) -> None:
        """Record that a model is trained in the evaluation mode that a line has put it into."""
        self._switched_off[model] = place

    @property
    def has_faults(self) -> bool:
        """Whether a number was not finite."""
        return bool(self._faults)

    def group(self, size: int) -> None:
        """The program's processes form a group of so many, with a launcher or without."""
        self.is_distributed = self.is_distributed or size > 1
        if not self._is_grouped:
            self._is_grouped = True
            self.at_group()

    def note(self, text: str) -> None:
        """Record a remark for the user about the observation."""
        if text not in self._notes:
            self._notes[text] = None
            self._announce("note", text)

    def _announce(self, event: str, record: Any) -> None:
        """Send an event to the listener, which is removed if it fails."""
        try:
            self._listener(event, record)
        except Exception as error:
            self._listener = _unheard
            self.failed("events were no longer told", error)

    def stop_if_alone(self, reason: str) -> None:
        """End the run now; if other processes would wait for this one, end it together with them.

        Raises:
            Stopped: it ends.
        """
        if self.is_distributed:
            self.at_proposal(reason)
        else:
            self.ending.request(reason)
            self.ending.raise_if_requested()

    def end_after(self, steps: int, reason: str) -> None:
        """End the run when so many steps of all tracks have been made; may be called from any thread."""
        self._appointment = steps, reason

    def finish_step(self, key: str, detail: StepDetail | None, accumulated: int = 1) -> None:
        """Record the end of a step of a track.

        Raises:
            Stopped: the run is to end here.
        """
        with self.measured():
            step = self.schedule.finish(key)
            track = self._tracks[key]
            track.steps, track.accumulated = step, accumulated
            if detail is not None:
                record = StepRecord(
                    key,
                    step,
                    self.schedule.seconds,
                    detail.layers,
                    detail.parameters,
                    detail.groups,
                    detail.batch,
                    detail.clipping,
                    detail.calls,
                    detail.modes,
                )
                self._steps.add(record)
                self._announce("step", record)
            self._tell_progress(key, step)
            self._check_limits(step)
        self.ending.raise_if_requested()

    def _tell_progress(self, key: str, step: int) -> None:
        seconds = self.schedule.seconds
        if self._pace.is_due(seconds):
            own = [series.values[-1] for record, series in self._losses.values() if record.track == key and series.values]
            loss = own[0] if own else None
            self._announce("progress", self._pace.record(key, step, seconds, loss, self.schedule.own_share))

    def _check_limits(self, step: int) -> None:
        limits = self.limits
        if limits.steps is not None and step >= limits.steps:
            self.ending.request("steps")
        if self._appointment is not None and sum(self.progress.values()) >= self._appointment[0]:
            self.ending.request(self._appointment[1])
        if limits.seconds is not None and self.schedule.seconds >= limits.seconds and not self.is_distributed:
            self.ending.request("time")
        reason = self._exceeded() if not step % _MEMORY_EVERY else None
        if reason is not None and self.is_distributed:
            self.at_proposal(reason)
        elif reason is not None:
            self.ending.request(reason)

    def _exceeded(self) -> str | None:
        """The limit of memory that the process exceeds."""
        limits = self.limits
        if limits.memory is not None and resident_memory() > limits.memory:
            return "memory"
        return "device-memory" if limits.device_memory is not None and self.device_memory() > limits.device_memory else None

    def record(self, ended: str) -> RunRecord:
        """All that is known so far."""
        return RunRecord(
            frameworks=tuple(self._frameworks),
            tracks=tuple(track.record() for track in self._tracks.values()),
            losses=tuple(_with_course(record, series) for record, series in self._losses.values()),
            metrics=tuple(MetricRecord(name, tuple(s.steps), tuple(s.values)) for name, s in self._metrics.items()),
            layers=tuple(self._layers.values()),
            parameters=tuple(self._parameters.values()),
            steps=self._steps.items(),
            faults=tuple(self._faults),
            notes=tuple(self._notes),
            ended=ended,
            seconds=self.schedule.seconds,
            own_share=self.schedule.own_share,
            experiments=tuple(self._experiments),
            baselines=tuple(self._baselines),
            closing=tuple(self._closing),
            grouped=self._is_grouped,
            unused=tuple(self._unused),
            switched_off=dict(self._switched_off),
            rejected=tuple(self._rejected),
            schedules=self._schedules,
            discarded=self._discarded,
            decisions=self.decisions.records(),
            samplers=tuple(self._samplers),
            held_out=tuple(self._held_out),
            entered=first_lines(self._entered),
            evaluations=tuple(EvaluationRecord(*key, times) for key, times in self._evaluations.items()),
        )


def _unheard(event: str, record: Any) -> None:
    """The listener of a monitor without listeners."""


def _silence_in_children(monitor: Monitor) -> None:
    """Have a monitor inert in processes that are forked from this one."""
    known = ref(monitor)

    def silence() -> None:
        forked = known()
        if forked is not None:
            forked.active = False

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=silence)


def _with_course(record: LossRecord, series: Series) -> LossRecord:
    return replace(record, steps=tuple(series.steps), values=tuple(series.values))
