"""Optimizers of Keras: the lines that built them, and what their steps do to the weights."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, ParamSpec

import keras
from keras import ops
from keras.optimizers.schedules import LearningRateSchedule
from keras.src.optimizers.base_optimizer import BaseOptimizer

from dllint.diagnose.assignments import argument_of
from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.keras.data import leading_bytes
from dllint.diagnose.probes.keras.statistics import Readout, change, host_array, norm
from dllint.diagnose.probes.keras.variables import parts_of
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.records import OptimizerRecord, ParameterSample, ScheduleRecord

P = ParamSpec("P")

#: Weights that are copied for the measure of one update, in bytes; of larger models the weights take turns.
_MOST_COPIED: Final = 256 << 20
_CLIPPING: Final = ("clipnorm", "global_clipnorm", "clipvalue")

Settings = Mapping[str, float | int | bool | str | None]


class Optimizers:
    """All optimizers; each is a track with a key of its own. ``name_of`` names weights, ``plain`` takes tensors out of any
    recording of gradients."""

    def __init__(self, monitor: Monitor, patches: Patches, readout: Readout, name_of: Callable[[Any], str]) -> None:
        self._monitor = monitor
        self._patches = patches
        self._readout = readout
        self.name_of = name_of
        self._built: IdentityMap[Any, SourcePlace | None] = IdentityMap()
        self._scheduled: IdentityMap[Any, SourcePlace | None] = IdentityMap()
        self._keys: IdentityMap[Any, str] = IdentityMap()
        self._settings: dict[str, Settings] = {}
        self._owners: IdentityMap[Any, str] = IdentityMap()
        self._copies: list[tuple[Any, Any]] = []
        self._turn = 0
        self._weights: dict[str, float] = {}
        self._gradients: dict[str, float] = {}
        self._updates: dict[str, float] = {}
        self.plain: Callable[[Any], Any] = lambda tensor: tensor
        #: The track of the optimizer that stepped last.
        self.latest = ""

    def install(self, apply: Callable[..., Any]) -> None:
        """Have ``apply(original, optimizer, gradients, variables)`` called instead of every step from now on."""
        self._patches.wrap(BaseOptimizer, "__init__", self._init)
        self._patches.wrap(BaseOptimizer, "apply", apply)
        self._patches.wrap(LearningRateSchedule, "__init__", self._init_schedule)

    def _init(self, original: Callable[Concatenate[Any, P], Any], optimizer: Any, *args: P.args, **kwargs: P.kwargs) -> None:
        if self._monitor.active:
            self._built[optimizer] = next(iter(user_places(2, 1)), None)
        original(optimizer, *args, **kwargs)

    def _init_schedule(
        self, original: Callable[Concatenate[Any, P], Any], schedule: Any, *args: P.args, **kwargs: P.kwargs
    ) -> None:
        if self._monitor.active:
            place = next(iter(user_places(2, 1)), None)
            pace = argument_of(place, type(schedule).__name__, 1, "decay_steps") if place is not None else None
            self._scheduled[schedule] = pace or place
        original(schedule, *args, **kwargs)

    def compiled(self, optimizer: Any, call: SourcePlace | None, argument: SourcePlace | None) -> None:
        """An optimizer that ``compile`` itself has made of a name is told at that argument."""
        if optimizer is not None and self._built.get(optimizer, call) == call:
            self._built[optimizer] = argument

    def key(self, optimizer: Any) -> str:
        """The key of an optimizer's track: its class, numbered from the second one on."""
        if optimizer not in self._keys:
            kind = type(optimizer).__name__
            same = sum(key.partition("#")[0] == kind for key in self._keys.values())
            key = kind if not same else f"{kind}#{same + 1}"
            self._keys[optimizer] = key
            self._settings[key] = _fixed_settings(optimizer)
            self._monitor.track(key, OptimizerRecord(kind, self._built.get(optimizer), self.settings(optimizer)))
            schedule = attribute(optimizer, "_learning_rate")
            if isinstance(schedule, LearningRateSchedule):
                place = self._scheduled.get(schedule)
                # It depends on the number of the step alone, so that it has come as far as the steps have.
                record = ScheduleRecord(type(schedule).__name__, key, place, None, 1, 1.0, 1.0, 1.0, reaches=False)
                self._monitor.scheduled(record)
        return self._keys[optimizer]

    def settings(self, optimizer: Any) -> tuple[Settings, ...]:
        """The settings that are numbers, flags or texts; ``lr`` as it is now."""
        rate = float(ops.convert_to_numpy(self.plain(ops.convert_to_tensor(optimizer.learning_rate))))
        return ({"lr": rate, **self._settings[self._keys[optimizer]]},)

    def clips(self, optimizer: Any) -> bool:
        """Whether the optimizer clips gradients itself."""
        return any(getattr(optimizer, name, None) for name in _CLIPPING)

    def owners(self) -> IdentityMap[Any, str]:
        """The track of each weight, by the weight and by the tensor in it."""
        return self._owners

    def own(self, optimizer: Any, variables: Sequence[Any]) -> None:
        """Note that an optimizer steps these weights."""
        key = self.latest = self.key(optimizer)
        for variable in variables:
            for part in parts_of(variable):
                self._owners[part] = key

    def measure_gradients(self, gradients: Sequence[Any], variables: Sequence[Any]) -> None:
        """Measure the gradients that a step is made with."""
        for gradient, variable in zip(gradients, variables, strict=False):
            if gradient is not None:
                self._ask(variable, norm(self.plain(gradient)), self._gradients)

    def measure_before(self, optimizer: Any, variables: Sequence[Any]) -> None:
        """Measure weights, and keep copies of them for :meth:`measure_after`."""
        key = self.key(optimizer)
        if not self._monitor.steps_of(key):
            self._monitor.initial_weights(key, self._fingerprint(variables))
        for variable in variables:
            self._ask(variable, norm(self.plain(value_of(variable))), self._weights)
        self._copies += [(variable, ops.copy(self.plain(value_of(variable)))) for variable in self._chosen(variables)]

    def measure_after(self) -> None:
        """Measure what the step has changed."""
        copies, self._copies = self._copies, []
        for variable, before in copies:
            self._ask(variable, change(self.plain(value_of(variable)), before), self._updates)

    def bad_gradients(self) -> list[str]:
        """The weights whose gradients, as last measured, are not finite."""
        return [name for name, size in self._gradients.items() if not math.isfinite(size)]

    def take_samples(self) -> dict[str, ParameterSample]:
        """The measurements since the last call; all readouts must have been flushed."""
        weights, self._weights = self._weights, {}
        gradients, self._gradients = self._gradients, {}
        updates, self._updates = self._updates, {}
        return {name: ParameterSample(size, gradients.get(name), updates.get(name)) for name, size in weights.items()}

    def _ask(self, variable: Any, number: Any, into: dict[str, float]) -> None:
        name = self.name_of(variable)
        self._readout.ask([number], lambda numbers: into.update({name: numbers[0]}))

    def _fingerprint(self, variables: Sequence[Any]) -> str:
        """Of the shapes and the leading bytes of all weights."""
        fingerprint = 0
        for variable in variables:
            fingerprint = zlib.crc32(leading_bytes(host_array(self.plain(value_of(variable)))), fingerprint)
        return f"{fingerprint:08x}"

    def _chosen(self, variables: Sequence[Any]) -> Sequence[Any]:
        """The weights whose turn it is to be copied."""
        total = 4 * sum(math.prod(variable.shape) for variable in variables)
        if total <= _MOST_COPIED:
            return variables
        turns = -(-total // _MOST_COPIED)
        self._turn = (self._turn + 1) % turns
        return variables[self._turn :: turns]


def value_of(variable: Any) -> Any:
    """The tensor behind a variable, of Keras or of its backend."""
    return variable.value if isinstance(variable, keras.Variable) else variable


def _fixed_settings(optimizer: Any) -> Settings:
    settings = optimizer.get_config()
    return {
        name: value
        for name, value in settings.items()
        if name not in ("name", "learning_rate") and (value is None or isinstance(value, int | float | str | bool))
    }
