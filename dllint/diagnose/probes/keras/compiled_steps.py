"""Steps inside compiled functions: rehearsed eagerly when they are to be looked at, and measured from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from keras import ops, tree

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor, StepDetail
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.guest import CompilingHost
from dllint.diagnose.probes.keras.data import record_step
from dllint.diagnose.probes.keras.layers import Layers
from dllint.diagnose.probes.keras.loss_calls import LossCalls
from dllint.diagnose.probes.keras.optimizers import Optimizers
from dllint.diagnose.probes.keras.statistics import Readout

#: An optimizer, and the weights it steps.
Stepped = tuple[Any, Sequence[Any]]
#: A loss and the call that asks for its gradients.
Loss = tuple[SourcePlace, float]


class CompiledSteps:
    """Reports the steps of compiled functions. An *owner* is a model or a compiled function."""

    def __init__(
        self,
        monitor: Monitor,
        host: CompilingHost,
        layers: Layers,
        optimizers: Optimizers,
        calls: LossCalls,
        readout: Readout,
    ) -> None:
        self._monitor = monitor
        self._host = host
        self._layers = layers
        self._optimizers = optimizers
        self._calls = calls
        self._readout = readout
        self._stepped: IdentityMap[Any, list[Stepped]] = IdentityMap()
        self._losses: IdentityMap[Any, tuple[int, SourcePlace]] = IdentityMap()
        self._now: list[Stepped] = []
        #: Whether a step is being made, which is reported as a whole.
        self.is_running = False

    def run(
        self,
        owner: object,
        eager: Callable[[], object] | None,
        compiled: Callable[[], Any],
        batch: object,
        read_loss: Callable[[], Loss | None],
        values: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> Any:
        """Make a step; what it returns. ``read_loss`` gives the loss afterwards, if it is known then. Inside of ``values()``
        variables have the values from before or after the step."""
        sampling = self._monitor.sampling
        rehearsed = False
        if sampling:
            with self._monitor.attempt("a compiled step could not be looked into"), values():
                rehearsed = eager is not None and self._rehearse(owner, eager, batch)
                self._measure_before(owner)
        self._now = []
        result = self._run(compiled)
        if self._now:
            self._stepped.setdefault(owner, self._now)
        with self._monitor.attempt("what a compiled step did could not be observed"), values():
            with self._monitor.measured():
                loss = read_loss() or self._returned_loss(owner, result)
            if loss is not None and not rehearsed:
                self._host.note_loss(*loss, batch)
            self._tell(owner, sampling, batch)
        return result

    def _run(self, compiled: Callable[[], Any]) -> Any:
        self.is_running = True
        try:
            return compiled()
        finally:
            self.is_running = False

    def _measure_before(self, owner: object) -> None:
        with self._monitor.measured():
            for optimizer, variables in self._stepped.get(owner, []):
                self._optimizers.measure_before(optimizer, variables)

    def stepping(self, optimizer: Any, variables: Sequence[Any]) -> None:
        """An optimizer steps, in a rehearsal or a trace."""
        # Functions are traced more than once.
        if all(known is not optimizer for known, _ in self._now):
            self._now.append((optimizer, variables))

    def _rehearse(self, owner: object, eager: Callable[[], object], batch: object) -> bool:
        with self._monitor.measured():
            self._now = []
            result = self._host.rehearse(eager, batch, building=not attribute(owner, "built", True))
            self._readout.flush()
            bad = self._optimizers.bad_gradients()
            stepped = self._now
            if not stepped:
                return False
            self._stepped[owner] = stepped
            self._remember_loss(owner, result)
        if bad:
            self._host.explain_rehearsed(eager, bad, self._optimizers.key(stepped[0][0]))
        return True

    def _remember_loss(self, owner: object, result: object) -> None:
        """Note where the loss stands in what the step returns."""
        for index, item in enumerate(tree.flatten(result)):
            for target, call in self._host.targets:
                if item is target:
                    self._losses[owner] = index, call

    def _returned_loss(self, owner: object, result: object) -> Loss | None:
        if owner not in self._losses:
            return None
        index, call = self._losses[owner]
        return call, float(ops.convert_to_numpy(tree.flatten(result)[index]))

    def _tell(self, owner: object, sampling: bool, batch: object) -> None:
        stepped = self._stepped.get(owner, [])
        details: Iterator[StepDetail | None] = iter(())
        with self._monitor.measured():
            for optimizer, variables in stepped:
                self._optimizers.own(optimizer, variables)
            if sampling and stepped:
                details = iter(self._details(stepped, batch))
        for optimizer, _ in stepped:
            key = self._optimizers.key(optimizer)
            if self._optimizers.clips(optimizer):
                self._monitor.count(key, clipped=1)
            self._monitor.finish_step(key, next(details, None), self._host.after_guest_step(key))

    def _details(self, stepped: Sequence[Stepped], batch: object) -> list[StepDetail]:
        self._optimizers.measure_after()
        described = record_step(batch, self._layers.columns) if batch is not None else self._layers.record_inputs()
        self._readout.flush()
        calls = self._calls.take()
        layers, samples = self._layers.take_samples(), self._optimizers.take_samples()
        return [
            StepDetail(
                layers,
                {name: samples[name] for name in map(self._optimizers.name_of, variables) if name in samples},
                self._optimizers.settings(optimizer),
                described,
                calls=calls,
            )
            for optimizer, variables in stepped
        ]
