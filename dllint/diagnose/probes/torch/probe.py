"""The probe for PyTorch: what happens at each backward pass and around each optimizer step."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import FrameType
from typing import Any, Final

import torch
from torch import Tensor
from torch.optim.optimizer import Optimizer

from dllint.diagnose.monitor import StepDetail
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.probe import Probes
from dllint.diagnose.probes.torch.activations import Activations
from dllint.diagnose.probes.torch.afterwards import look_back
from dllint.diagnose.probes.torch.apart import can_be_apart, explained_apart
from dllint.diagnose.probes.torch.compiled import Compilation
from dllint.diagnose.probes.torch.data import Batches
from dllint.diagnose.probes.torch.deciders import Deciders
from dllint.diagnose.probes.torch.discards import Discards
from dllint.diagnose.probes.torch.draws import Draws
from dllint.diagnose.probes.torch.faults import Faults
from dllint.diagnose.probes.torch.gradients import Gradients
from dllint.diagnose.probes.torch.idle import IdlePasses
from dllint.diagnose.probes.torch.loss_calls import Graded, LossCalls
from dllint.diagnose.probes.torch.losses import Backward, Losses
from dllint.diagnose.probes.torch.modules import Modules
from dllint.diagnose.probes.torch.optimizers import Optimizers, settings
from dllint.diagnose.probes.torch.recent import Recent
from dllint.diagnose.probes.torch.replay import Replay, random_state
from dllint.diagnose.probes.torch.schedules import Schedules
from dllint.diagnose.probes.torch.seclusion import aside, is_traced
from dllint.diagnose.probes.torch.statistics import Readout, device_memory, plain
from dllint.diagnose.probes.torch.store import is_joined
from dllint.diagnose.probes.torch.trial import undisturbed
from dllint.diagnose.records import LossRecord, NumericFault

#: Steps at which parameters are registered; weights may be frozen and given to optimizers later on.
_REGISTERED_AT: Final = (1, 20, 200, 2000)


class TorchProbe:
    """Watches loops of ``backward`` and ``step``: steps are those of optimizers, losses what is back-propagated."""

    def __init__(self, probes: Probes) -> None:
        self._monitor = monitor = probes.monitor
        self._patches = Patches(monitor.failed, is_traced)
        self._readout = Readout()
        self._modules = Modules(monitor, self._patches, self._readout)
        self._optimizers = Optimizers(monitor, self._patches, self._readout, self._modules.parameters)
        self._schedules = Schedules(monitor, self._patches, self._optimizers.own)
        self._deciders = Deciders(monitor, self._patches)
        self._losses = Losses(monitor, self._patches, self._at_backward)
        self._batches = Batches(monitor, self._patches)
        self._gradients = Gradients(monitor, self._patches)
        self._activations = Activations(monitor, self._patches, self._modules)
        self._calls = LossCalls(monitor, self._patches, self._modules, self._readout, self._at_graded)
        self._compilation = Compilation(
            monitor, self._patches, self._modules, self._activations, force_eager=probes.options.force_eager
        )
        self._replay = Replay(self._losses, lambda: self._repeats and not monitor.is_distributed)
        self._faults = Faults(self._modules, self._replay)
        self._recent = Recent()
        self._discards = Discards()
        self._draws = Draws(self._patches)
        self._idle = IdlePasses(monitor)
        self._records: dict[SourcePlace, LossRecord] = {}
        self._values: list[Backward] = []
        self._random = random_state()
        self._goes_on = probes.options.goes_on
        #: Whether a step may be repeated, in this process or the one under way.
        self._repeats = True

    def install(self) -> None:
        """Patch and hook torch."""
        self._monitor.framework("torch")
        self._monitor.device_memory = device_memory
        self._compilation.install()
        self._modules.install()
        self._optimizers.install(self._before_step, self._after_step, self._at_zero)
        self._schedules.install()
        self._deciders.install()
        self._losses.install()
        self._batches.install()
        self._gradients.install()
        self._activations.install()
        self._calls.install()
        self._draws.install()

    def adopt(self, model: Any) -> bool:
        """Take in a module that was built before the probe was installed."""
        if not isinstance(model, torch.nn.Module) or self._modules.is_foreign(model):
            return False
        self._modules.adopt(model)
        self._note_group()
        return True

    def finish(self) -> None:
        """Register the parameters, and leave torch as it was."""
        self._modules.ignore()
        self._batches.finish()
        self._modules.register_parameters(self._optimizers.owners(), again=False)
        holding = self._optimizers.holding_gradients()
        if holding and self._idle.finish():
            for step, passed in enumerate(self._values, 1):
                self._monitor.loss(self._loss_record(passed.place, holding[0]), step, passed.value)
        self._monitor.protocol(self._schedules.records(), self._discards.records())
        self._patches.undo()

    def look_back(self) -> None:
        """Experiments on a copy of the model."""
        look_back(self._monitor, self._modules, self._recent)
        self._recent.forget()

    def join(self, guest: Guest) -> None:
        """Leave layers and steps of a framework above to its own probe."""
        self._modules.is_foreign = guest.owns
        self._faults.guest = guest

    def is_recording(self) -> bool:
        """Whether gradients will be asked for, and not by a repetition."""
        return torch.is_grad_enabled() and not self._replay.replaying

    def before_guest_step(self) -> None:
        """An optimizer that is not torch's is about to step."""
        if self._replay.replaying:
            self._replay.at_step()

    def explain_gradients(self, names: list[str], key: str) -> None:
        """Find the operation behind gradients that are not finite, and end the run.

        Raises:
            dllint.diagnose.limits.Stopped: it ends.
        """
        self._explain_gradient(names, key)

    def after_guest_step(self, key: str) -> int:
        """An optimizer that is not torch's has stepped; the number of backward passes."""
        self._idle.at_step()
        self._gradients.finish_step(key)
        passes = self._tell_losses(key)
        self._random = random_state()
        return passes

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is done inside changes no random numbers and prints nothing."""
        return undisturbed()

    def gradients(self, compute: Callable[[], Tensor], variables: Sequence[Any]) -> tuple[Tensor, list[Tensor | None]]:
        """A number, and its gradients; ``None`` for weights that it does not depend on."""
        value = compute()
        weights = [variable.value for variable in variables]
        return value.detach(), list(torch.autograd.grad(value, weights, allow_unused=True))

    def plain(self, tensor: Tensor) -> Tensor:
        """The local, dense, detached part of a tensor."""
        return plain(tensor)

    def _at_backward(self, passed: Backward, frame: FrameType) -> None:
        """A loss is about to be back-propagated."""
        value = passed.value
        self._idle.at_backward(passed.place, lambda: list(self._modules.roots))
        if not passed.inside_step:
            self._discards.at_backward(passed.place)
        if not self._idle.forgets:
            self._values.append(passed)
        if not math.isfinite(value) and not passed.scaled:
            self._explain_loss(passed, value, frame)

    def _at_zero(self) -> None:
        """An optimizer is about to clear its gradients."""
        if not self._losses.inside_step and self._losses.replaying is None:
            self._discards.at_zero(3)

    def _explain_loss(self, passed: Backward, value: float, frame: FrameType) -> None:
        if self._monitor.is_distributed and self._monitor.has_faults:
            return  # The processes have not ended yet; what comes now are consequences.
        track = self._gradients.last_track or "loss"
        step = self._monitor.steps_of(track) + 1
        self._end_with(lambda: self._faults.of_loss(passed, value, frame, self._batches.last, self._random, step, track))

    def _end_with(self, explained: Callable[[], NumericFault]) -> None:
        """Explain what has gone wrong, and end the run; a program that goes on nevertheless is asked to end again, and no step
        of it is repeated for another explanation."""
        if self._monitor.ending.reason is None:
            self._note_group()
            self._monitor.fault(self._explained(explained))
        self._monitor.stop_if_alone("certain")

    def _explained(self, explain: Callable[[], NumericFault]) -> NumericFault:
        """An explanation, for which a step may be repeated; if the program goes on, where that leaves no traces in it."""
        if not self._goes_on or self._monitor.is_distributed or not can_be_apart():
            return explain()

        def as_watched() -> NumericFault:
            self._monitor.active = True
            return explain()

        found = explained_apart(as_watched)
        if found is not None:
            return found
        self._repeats = False
        try:
            return explain()
        finally:
            self._repeats = True

    def _before_step(self, optimizer: Optimizer) -> None:
        if not self._monitor.active:
            return
        if self._replay.replaying:
            self._replay.at_step()
        self._losses.inside_step = True
        self._schedules.at_step(optimizer, self._optimizers.key(optimizer), 2)
        if not self._monitor.sampling:
            return
        key = self._optimizers.key(optimizer)
        with self._monitor.measured(), aside():
            self._optimizers.measure_before(optimizer)
            self._readout.flush()
            bad = self._optimizers.bad_gradients()
        if bad:
            self._explain_gradient(bad, key)

    def _explain_gradient(self, names: list[str], key: str) -> None:
        frame = sys._getframe(1)
        last = self._values[-1].place if self._values else None
        step = self._monitor.steps_of(key) + 1
        self._end_with(lambda: self._faults.of_gradient(names, frame, self._batches.last, self._random, step, key, last))

    def _after_step(self, optimizer: Optimizer) -> None:
        monitor = self._monitor
        if not monitor.active:
            return
        self._losses.inside_step = False
        self._idle.at_step()
        self._discards.at_step()
        # Most steps are not looked at: what happens at those is kept short.
        with monitor.measured(), aside():
            key = self._optimizers.key(optimizer)
            self._gradients.finish_step(key)
            passes = self._tell_losses(key)
            steps = monitor.steps_of(key)
            self._calls.tell_evaluation(steps)
            detail = None
            with monitor.attempt("a step could not be looked at closely"):
                detail = self._detail(optimizer) if monitor.sampling else None
            if steps + 1 in _REGISTERED_AT:
                self._register()
        try:
            monitor.finish_step(key, detail, passes)
        finally:
            self._prepare_next()

    def _register(self) -> None:
        """Report what is known by now."""
        self._note_group()
        # A program may let go of its model before it ends.
        self._modules.register_parameters(self._optimizers.owners(), again=True)

    def _note_group(self) -> None:
        if is_joined():
            self._monitor.group(torch.distributed.get_world_size())

    def _prepare_next(self) -> None:
        with self._monitor.measured():
            self._random = random_state()
            if self._monitor.sampling and not self._compilation.running:
                self._modules.listen()
            elif self._modules.listening:
                self._modules.ignore()

    def _tell_losses(self, key: str) -> int:
        """Hand over the losses since the last step; how many passes there were from one line."""
        step = self._monitor.steps_of(key) + 1
        values, self._values = self._values, []
        if len(values) == 1:
            self._monitor.loss(self._loss_record(values[0].place, key), step, values[0].value)
            return 1
        by_place: dict[SourcePlace, list[Backward]] = {}
        for passed in values:
            by_place.setdefault(passed.place, []).append(passed)
        for place, passes in by_place.items():
            # An optimizer that calls its closure several times has begun at the first loss.
            numbers = [passed.value for passed in (passes[:1] if passes[0].inside_step else passes)]
            self._monitor.loss(self._loss_record(place, key), step, sum(numbers) / len(numbers))
        return max((len(passes) for passes in by_place.values()), default=1)

    def _loss_record(self, place: SourcePlace, track: str) -> LossRecord:
        record = self._records.get(place)
        if record is None:
            name = "loss" if not self._records else f"loss#{len(self._records) + 1}"
            origin, kind = self._faults.origin(place)
            weighed = self._draws.are_weighed
            record = self._records[place] = LossRecord(name, track, origin, place, kind, is_surrogate=weighed)
        return record

    def _detail(self, optimizer: Optimizer) -> StepDetail:
        samples = self._optimizers.measure_after(optimizer)
        batch = self._batches.record(self._modules.last_inputs)
        self._readout.flush()
        return StepDetail(
            self._modules.take_samples(),
            samples(),
            settings(optimizer),
            batch,
            self._gradients.take_clipping(),
            self._calls.take(),
            self._modules.take_modes(),
        )

    def _at_graded(self, graded: Graded) -> None:
        """A loss function was called in a sampled step, and its numbers have been read."""
        self._recent.keep(graded)
