"""Layers: the lines that built them, their names, and what they put out in sampled steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Concatenate, Final, ParamSpec

import keras
import numpy as np
from keras import ops, tree

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.keras.columns import Columns
from dllint.diagnose.probes.keras.data import record_inputs
from dllint.diagnose.probes.keras.flow import Flow
from dllint.diagnose.probes.keras.statistics import Readout, stats_numbers
from dllint.diagnose.probes.keras.units import UnitWatch, activation_of
from dllint.diagnose.probes.keras.variables import parts_of
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.tensor_numbers import stats_of
from dllint.diagnose.records import BatchRecord, LayerRecord, LayerSample, ParameterRecord, TensorStats

P = ParamSpec("P")

_MOST_OUTER: Final = 4


class Layers:
    """All layers of the program. ``plain`` takes a tensor out of any recording of gradients; ``is_recording`` says whether a
    step is being recorded now, and not a validation."""

    def __init__(self, monitor: Monitor, patches: Patches, readout: Readout) -> None:
        self._monitor = monitor
        self._patches = patches
        self._readout = readout
        self._built: IdentityMap[Any, tuple[SourcePlace, ...]] = IdentityMap()
        self._titles: dict[str, int] = {}
        self._units = UnitWatch()
        self._nested = 0
        self._first: str | None = None
        self._given: dict[str, TensorStats] = {}
        self.flow = Flow()
        #: Of the inputs, over the whole run.
        self.columns = Columns()
        self._variables: IdentityMap[Any, tuple[str, str]] = IdentityMap()
        self.is_recording: Callable[[], bool] = lambda: True
        self.plain: Callable[[Any], Any] = lambda tensor: tensor
        self.records: IdentityMap[Any, LayerRecord] = IdentityMap()
        self.roots: IdentityMap[Any, str] = IdentityMap()
        self.samples: dict[str, LayerSample] = {}
        #: The outermost layer that was called last, what it was called with, and what it gave.
        self.last_call: tuple[Any, tuple[Any, ...], Any] = (None, (), None)

    def install(self) -> None:
        """Note from now on what builds layers, and what they put out."""
        self._patches.wrap_new(keras.Layer, self._new)
        self._patches.wrap(keras.Layer, "__call__", self._call)
        self._patches.wrap(keras.Layer, "stateless_call", self._stateless_call)

    def take_samples(self) -> dict[str, LayerSample]:
        """The samples since the last call; all readouts must have been flushed."""
        samples, self.samples = self.samples, {}
        for name, given in self._given.items():
            if name in samples:
                is_first = name == self._first
                samples[name] = replace(samples[name], input=given if is_first else None, given=given)
        self._first, self._given = None, {}
        self.flow.begin()
        return samples

    def record_inputs(self) -> BatchRecord | None:
        """The last arguments of the outermost layer, as a batch."""
        return record_inputs(self.last_call[1], self.columns)

    def name_of(self, variable: Any) -> str:
        """The name of a weight."""
        if variable not in self._variables:
            self._complete()
        unknown = str(getattr(variable, "path", None) or getattr(variable, "name", "weight")), ""
        return self._variables.setdefault(variable, unknown)[0]

    def named(self, name: str) -> LayerRecord | None:
        """The layer that has a name, the latest one if there are several."""
        return next((record for layer, record in reversed(list(self.records.items())) if layer.name == name), None)

    def bad_weight(self) -> tuple[str, str] | None:
        """The first weight that is not finite, and its layer."""
        for root in list(self.roots):
            for variable in root.trainable_variables:
                if not bool(ops.all(ops.isfinite(self.plain(variable.value)))):
                    return self._variables.get(variable, (self.name_of(variable), ""))
        return None

    def _new(self, original: Callable[Concatenate[Any, P], Any], kind: type, *args: P.args, **kwargs: P.kwargs) -> Any:
        layer = original(kind, *args, **kwargs)
        if self._monitor.active:
            self._built[layer] = tuple(place_of(frame) for frame in islice(user_frames(sys._getframe(2)), _MOST_OUTER))
        return layer

    def _call(self, original: Callable[Concatenate[Any, P], Any], layer: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        return self._watched(lambda: original(layer, *args, **kwargs), layer, args, lambda result: result)

    def _stateless_call(
        self,
        original: Callable[Concatenate[Any, Any, Any, P], Any],
        layer: Any,
        weights: Any,
        others: Any,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Any:
        """A call with other values of the variables, as JAX's trainer makes it; what it gives comes first."""
        return self._watched(lambda: original(layer, weights, others, *args, **kwargs), layer, args, lambda result: result[0])

    def _watched(self, run: Callable[[], Any], layer: Any, args: tuple[Any, ...], output_of: Callable[[Any], Any]) -> Any:
        monitor = self._monitor
        if not (monitor.sampling and monitor.active and self.is_recording()):
            return run()
        if not self._nested and layer not in self.records and is_concrete(args):
            self.adopt(layer)
        self._nested += 1
        try:
            result = run()
        finally:
            self._nested -= 1
        output = output_of(result)
        if is_concrete(output):
            with monitor.measured():
                self._observe(layer, args, output)
        return result

    def _observe(self, layer: Any, args: tuple[Any, ...], output: Any) -> None:
        if layer in self.roots:
            self.last_call = layer, args, output
        record = self.records.get(layer)
        if record is None or (layer not in self.roots and any(_sublayers(layer))):
            return
        tensor = _first_float(output)
        if tensor is not None:
            self._follow(layer, record.name, args, tensor)
            self._sample(layer, record.name, self.plain(tensor))

    def _follow(self, layer: Any, name: str, args: tuple[Any, ...], output: Any) -> None:
        """Note what went in and came out."""
        given = args[0] if args else None
        if layer._trainable_variables:
            self.flow.enter(given)
            if self._first is None or self._monitor.thorough:
                self._first = self._first or name
                self._sample_input(name, _first_float(given))
        kind = activation_of(layer)
        if kind:
            self.flow.make(output, kind, name)
        elif not layer.weights:
            self.flow.pass_on(given, output)

    def _sample_input(self, name: str, given: Any) -> None:
        if given is not None:
            numbers = stats_numbers(self.plain(given))
            self._readout.ask(numbers, lambda values: self._given.update({name: stats_of(values)}))

    def _sample(self, layer: Any, name: str, output: Any) -> None:
        units = self._units.ask(layer, name, output, self._readout, lambda: self.flow.feeds(name))

        def keep(numbers: list[float]) -> None:
            self.samples[name] = LayerSample(stats_of(numbers), units())

        self._readout.ask(stats_numbers(output), keep)

    def adopt(self, root: Any) -> None:
        """Name a model and all that it holds."""
        if root in self.records:
            return
        title = type(root).__name__
        self._titles[title] = self._titles.get(title, 0) + 1
        model = title if self._titles[title] == 1 else f"{title}#{self._titles[title]}"
        self.roots[root] = model
        self._name(root, model, model, ())
        self._name_weights()

    def _name(self, layer: Any, name: str, model: str, holder: tuple[SourcePlace, ...]) -> None:
        # A layer that was copied or loaded has no places of its own; those of what holds it are the nearest.
        places = self._built.get(layer) or holder
        if layer not in self.records:
            record = LayerRecord(name, type(layer).__name__, next(iter(places), None), places[1:], len(self.records), model)
            self.records[layer] = record
            self._monitor.layer(record)
        for part in _sublayers(layer):
            if part not in self.records:
                self._name(part, f"{name}.{part.name}", model, places)

    def _complete(self) -> None:
        """Name layers that came, and weights that were made, after their model was named."""
        for root, model in list(self.roots.items()):
            for layer, record in list(self.records.items()):
                if record.model == model:
                    self._name(layer, record.name, model, self._built.get(root, ()))
        self._name_weights()

    def _name_weights(self) -> None:
        # Innermost layers come last in the records: a weight belongs to the innermost layer that has it.
        for layer, record in reversed(list(self.records.items())):
            for variable in layer.variables:
                for part in parts_of(variable):
                    self._variables.setdefault(part, (f"{record.name}.{variable.name}", record.name))

    def register_parameters(self, optimizer_of: IdentityMap[Any, str]) -> None:
        """Report to the monitor all weights of models that were used."""
        self._complete()
        for root in list(self.roots):
            trainable = {id(variable) for variable in root.trainable_variables}
            for variable in root.weights:
                name, layer = self._variables.get(variable, ("", ""))
                if name:
                    optimizer = optimizer_of.first(*parts_of(variable))
                    shape, dtype = tuple(variable.shape), str(variable.dtype)
                    self._monitor.parameter(ParameterRecord(name, layer, shape, dtype, id(variable) in trainable, optimizer))


def _first_float(value: Any) -> Any:
    """The first tensor of floating-point numbers in what a layer gives or takes."""
    floats = (t for t in tree.flatten(value) if ops.is_tensor(t) and "float" in str(ops.dtype(t)) and 0 not in t.shape)
    return next(floats, None)


def is_concrete(value: Any) -> bool:
    """Whether there are numbers behind the tensors of a value, rather than symbols of a graph."""
    tensors = [t for t in tree.flatten(value) if ops.is_tensor(t) or isinstance(t, keras.KerasTensor | np.ndarray)]
    return bool(tensors) and all(isinstance(t, np.ndarray) or _has_numbers(t) for t in tensors)


def _has_numbers(tensor: Any) -> bool:
    if isinstance(tensor, keras.KerasTensor):
        return False
    if keras.backend.backend() == "tensorflow":
        return hasattr(tensor, "numpy")
    if keras.backend.backend() == "torch":
        return bool(tensor.device.type != "meta")
    return not hasattr(tensor, "aval") or not hasattr(tensor, "_trace")


def _sublayers(layer: Any) -> Iterator[Any]:
    parts = layer.layers if isinstance(layer, keras.Model) else layer._flatten_layers(include_self=False, recursive=False)
    return (part for part in parts if isinstance(part, keras.Layer) and not isinstance(part, keras.layers.InputLayer))
