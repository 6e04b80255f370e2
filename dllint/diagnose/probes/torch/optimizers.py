"""Optimizers: the lines that built them, and what their steps do to the parameters."""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

import torch
from torch import Tensor
from torch.optim.optimizer import (
    Optimizer,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.containers import attribute, state_of
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.data import leading_bytes
from dllint.diagnose.probes.torch.statistics import Readout, difference_numbers, norm_numbers, plain
from dllint.diagnose.records import OptimizerRecord, ParameterSample

P = ParamSpec("P")

#: Weights that are copied for the measure of one update, in bytes; of larger models the parameters take turns.
_MOST_COPIED: Final = 256 << 20


class Optimizers:
    """All optimizers; each is a track with a key of its own."""

    def __init__(
        self, monitor: Monitor, patches: Patches, readout: Readout, names: IdentityMap[Tensor, tuple[str, str]]
    ) -> None:
        self._monitor = monitor
        self._patches = patches
        self._readout = readout
        self._names = names
        self._built: IdentityMap[Optimizer, SourcePlace | None] = IdentityMap()
        self._keys: IdentityMap[Optimizer, str] = IdentityMap()
        #: The track of each parameter so far; an optimizer may be gone before the run ends.
        self._owned: IdentityMap[Tensor, str] = IdentityMap()
        self._copies: list[tuple[Tensor, Tensor]] = []
        self._turn = 0
        self._at_zero: Callable[[], None] = lambda: None
        self._gradients: dict[str, float | None] = {}
        self._weights: dict[str, float] = {}
        self._updates: dict[str, float] = {}

    def install(
        self, before: Callable[[Optimizer], None], after: Callable[[Optimizer], None], at_zero: Callable[[], None]
    ) -> None:
        """Have ``before`` and ``after`` called around every step from now on, and ``at_zero`` before gradients are cleared."""
        self._at_zero = at_zero
        self._patches.wrap(Optimizer, "__init__", self._init)
        self._patches.wrap(Optimizer, "zero_grad", self._zero_grad)
        guarded = self._monitor.guarded
        begins = guarded("a step of an optimizer could not be observed", lambda optimizer, *given: before(optimizer))
        ends = guarded("what a step of an optimizer did could not be observed", lambda optimizer, *given: after(optimizer))
        self._patches.later(register_optimizer_step_pre_hook(begins).remove)
        self._patches.later(register_optimizer_step_post_hook(ends).remove)

    def _init(
        self, original: Callable[Concatenate[Any, P], Any], optimizer: Optimizer, *args: P.args, **kwargs: P.kwargs
    ) -> None:
        if self._monitor.active:
            self._monitor.constructing(sys._getframe(2))
            self._built[optimizer] = next(iter(user_places(2, 1)), None)
        original(optimizer, *args, **kwargs)

    def _zero_grad(
        self, original: Callable[Concatenate[Any, P], Any], optimizer: Optimizer, *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        if self._monitor.active:
            self._monitor.count(self.key(optimizer), zeroed=1)
            self._at_zero()
        return original(optimizer, *args, **kwargs)

    def key(self, optimizer: Optimizer) -> str:
        """The key of an optimizer's track: its class, numbered from the second one on."""
        optimizer = self.own(optimizer)
        if optimizer not in self._keys:
            kind = type(optimizer).__name__
            same = sum(key.partition("#")[0] == kind for key in self._keys.values())
            key = kind if not same else f"{kind}#{same + 1}"
            self._keys[optimizer] = key
            self._own(optimizer)
            if steps := self._monitor.steps_of(key):
                # Another one of the same kind, which is gone, has stepped before.
                self._monitor.schedule.begin(key, steps)
            self._monitor.track(key, OptimizerRecord(kind, self._built.get(optimizer), settings(optimizer)))
        return self._keys[optimizer]

    def own(self, optimizer: Optimizer) -> Optimizer:
        """The optimizer itself, or the one that it stands for: wrappers of training libraries were not built as optimizers, and
        hold one."""
        if optimizer in self._built or optimizer in self._keys:
            return optimizer
        return next((held for held in state_of(optimizer).values() if held in self._built), optimizer)

    def holding_gradients(self) -> list[str]:
        """The keys of the optimizers that were built for weights which have gradients now."""
        built = [optimizer for optimizer in self._built if attribute(optimizer, "param_groups") is not None]
        return [self.key(optimizer) for optimizer in built if any(p.grad is not None for p in _parameters(optimizer))]

    def owners(self) -> dict[int, str]:
        """The track of each parameter, by the parameter's ``id``; the last one, if the optimizer is gone."""
        for optimizer in self._keys:
            self._own(optimizer)
        return {id(parameter): key for parameter, key in self._owned.items()}

    def _own(self, optimizer: Optimizer) -> None:
        for parameter in _parameters(optimizer):
            self._owned[parameter] = self._keys[optimizer]

    def measure_before(self, optimizer: Optimizer) -> None:
        """Measure weights and gradients, and keep copies of the weights for :meth:`measure_after`."""
        parameters = _parameters(optimizer)
        if not self._monitor.steps_of(self.key(optimizer)):
            self._monitor.initial_weights(self.key(optimizer), _fingerprint(parameters))
        for group in _by_device(parameters):
            self._ask(group, group, self._weights)
            graded = [parameter for parameter in group if parameter.grad is not None]
            if graded:
                self._ask(graded, [parameter.grad for parameter in graded if parameter.grad is not None], self._gradients)
        self._copies = [(parameter, parameter.detach().clone()) for parameter in self._chosen(parameters)]

    def bad_gradients(self) -> list[str]:
        """The parameters whose gradients, as last measured, are not finite."""
        return [name for name, norm in self._gradients.items() if norm is not None and not math.isfinite(norm)]

    def measure_after(self, optimizer: Optimizer) -> Callable[[], dict[str, ParameterSample]]:
        """Measure what the step has changed; the returned function gives the result after the next flush."""
        copies, self._copies = self._copies, []
        before = {id(parameter): copy for parameter, copy in copies}
        for group in _by_device([parameter for parameter, _ in copies]):
            names = [self._name(parameter) for parameter in group]
            numbers = difference_numbers(group, [before[id(parameter)] for parameter in group])
            self._readout.ask(numbers, lambda values, names=names: self._updates.update(zip(names, values, strict=True)))  # type: ignore[misc]
        return self._samples

    def _samples(self) -> dict[str, ParameterSample]:
        weights, self._weights = self._weights, {}
        gradients, self._gradients = self._gradients, {}
        updates, self._updates = self._updates, {}
        return {name: ParameterSample(norm, gradients.get(name), updates.get(name)) for name, norm in weights.items()}

    def _ask(self, parameters: list[Tensor], tensors: list[Tensor], into: dict[str, Any]) -> None:
        names = [self._name(parameter) for parameter in parameters]
        self._readout.ask(norm_numbers(tensors), lambda values: into.update(zip(names, values, strict=True)))

    def _name(self, parameter: Tensor) -> str:
        known = self._names.get(parameter)
        return known[0] if known is not None else f"parameter {tuple(parameter.shape)} at {id(parameter):x}"

    def _chosen(self, parameters: list[Tensor]) -> list[Tensor]:
        """The parameters whose turn it is to be copied."""
        total = sum(parameter.numel() * parameter.element_size() for parameter in parameters)
        if total <= _MOST_COPIED:
            return parameters
        turns = -(-total // _MOST_COPIED)
        self._turn = (self._turn + 1) % turns
        return parameters[self._turn :: turns]


def settings(optimizer: Optimizer) -> tuple[dict[str, float | int | bool | str | None], ...]:
    """The settings of an optimizer's groups that are numbers, flags or texts."""
    return tuple(
        {
            name: float(value) if isinstance(value, Tensor) else value
            for name, value in group.items()
            if isinstance(value, int | float | str | bool)
            or value is None
            or (isinstance(value, Tensor) and value.numel() == 1)
        }
        for group in _groups(optimizer)
    )


def _parameters(optimizer: Optimizer) -> list[Tensor]:
    return [parameter for group in _groups(optimizer) for parameter in group["params"]]


def _groups(optimizer: Optimizer) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = attribute(optimizer, "param_groups", [])
    return groups


def _fingerprint(parameters: list[Tensor]) -> str:
    """Of the shapes and the leading bytes of all weights."""
    fingerprint = 0
    for parameter in parameters:
        fingerprint = zlib.crc32(leading_bytes(plain(parameter)), fingerprint)
    return f"{fingerprint:08x}"


def _by_device(tensors: list[Tensor]) -> list[list[Tensor]]:
    devices: dict[torch.device, list[Tensor]] = {}
    for tensor in tensors:
        devices.setdefault(tensor.device, []).append(tensor)
    return list(devices.values())
