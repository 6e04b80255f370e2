"""The probe for Keras: what happens around each step of its optimizers, on any backend."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, cast

import keras
from keras import ops

from dllint.diagnose.monitor import StepDetail
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.guest import CompilingHost, Host
from dllint.diagnose.probes.keras.afterwards import look_back
from dllint.diagnose.probes.keras.compilation import Compilation
from dllint.diagnose.probes.keras.compiled_steps import CompiledSteps
from dllint.diagnose.probes.keras.data import record_step
from dllint.diagnose.probes.keras.deciders import Deciders
from dllint.diagnose.probes.keras.held_out import HeldOut
from dllint.diagnose.probes.keras.layers import Layers, is_concrete
from dllint.diagnose.probes.keras.loss_calls import Graded, LossCalls
from dllint.diagnose.probes.keras.optimizers import Optimizers
from dllint.diagnose.probes.keras.passed_state import PassedState, holding
from dllint.diagnose.probes.keras.recent import Recent
from dllint.diagnose.probes.keras.statistics import Readout
from dllint.diagnose.probes.keras.trainers import Compiled, Eager, LossTracker, Trainers
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.probe import Probes
from dllint.diagnose.records import LayerRecord

#: Backends whose own probe sees backward passes.
_HOSTS: Final = ("torch", "tensorflow", "jax")


class KerasProbe:
    """Watches Keras models: steps are those of Keras optimizers, whoever makes them. Losses come from the probe of the backend,
    whose guest this is."""

    def __init__(self, probes: Probes) -> None:
        self._monitor = monitor = probes.monitor
        self._patches = Patches(self._monitor.failed)
        self._readout = Readout()
        self._layers = Layers(monitor, self._patches, self._readout)
        self._optimizers = Optimizers(monitor, self._patches, self._readout, self._layers.name_of)
        self._compilation = Compilation(monitor, self._patches, self._optimizers.compiled)
        self._trainers = Trainers(monitor, self._patches, self._at_epoch)
        self._calls = LossCalls(
            monitor,
            self._patches,
            self._layers.flow,
            lambda: self._layers.is_recording(),
            self._compilation.origin,
            self._at_graded,
        )
        self._deciders = Deciders(monitor, self._patches)
        self._held_out = HeldOut(monitor, self._patches)
        self._recent = Recent()
        self._tracker = LossTracker()
        self._compiled: CompiledSteps | None = None
        self._host: Host | None = None
        if keras.backend.backend() in _HOSTS:
            self._be_guest(probes.install(keras.backend.backend()))
        else:
            monitor.note(f"Keras runs on {keras.backend.backend()}: steps of training are not seen there")

    def _be_guest(self, host: Any) -> None:
        self._host = host
        host.join(self)
        self._layers.is_recording = host.is_recording
        self._layers.plain = self._optimizers.plain = host.plain
        if hasattr(host, "rehearse"):
            self._compiled = CompiledSteps(self._monitor, host, self._layers, self._optimizers, self._calls, self._readout)
            self._trainers.is_compiled = lambda model: host.is_compiling()
            self._trainers.make_step = self._step_of_model
            self._trainers.alone = host.alone

    def install(self) -> None:
        """Patch Keras."""
        self._monitor.framework("keras")
        self._layers.install()
        self._optimizers.install(self._apply)
        self._compilation.install()
        self._calls.install()
        self._trainers.install()
        self._deciders.install()
        self._held_out.install()
        self._patches.wrap(keras.Model, "reset_metrics", self._tracker.begin_anew)

    def adopt(self, model: object) -> bool:
        """Take in a model that was built before the probe was installed."""
        if not isinstance(model, keras.Layer):
            return False
        self._layers.adopt(model)
        self._trainers.adopt(model)
        self._compilation.adopt(model)
        return True

    def finish(self) -> None:
        """Register the weights, and leave Keras as it was."""
        self._layers.register_parameters(self._optimizers.owners())
        self._trainers.finish()
        self._patches.undo()

    def look_back(self) -> None:
        """Experiments with the model, which is put back afterwards."""
        if self._host is not None:
            look_back(self._monitor, self._host, self._layers, self._recent)
        self._recent.forget()

    def owns(self, module: object) -> bool:
        """Whether a module is a layer of Keras, or holds the weights of one."""
        return isinstance(module, keras.Layer) or type(module).__name__ == "ParameterDict"

    def layer(self, module: object) -> LayerRecord | None:
        """What is known about a layer, or the layer that has a name."""
        if isinstance(module, str):
            return self._layers.named(module)
        return self._layers.records.get(module) if isinstance(module, keras.Layer) else None

    def bad_weight(self) -> tuple[str, str] | None:
        """The first weight that is not finite, and its layer."""
        return self._layers.bad_weight()

    def origin(self, call: SourcePlace) -> tuple[SourcePlace | None, str] | None:
        """The loss behind a call that trains."""
        return self._compilation.origin(call)

    def given(self) -> object:
        """The batch of the step under way, or the inputs of the model."""
        return self._trainers.last_batch if self._trainers.last_batch is not None else self._layers.last_call[1]

    def latest_track(self) -> str:
        """The key of the optimizer that stepped last."""
        return self._optimizers.latest

    def compiled_step(
        self, owner: object, eager: Callable[[], object] | None, compiled: Callable[[], Any], batch: object
    ) -> Any:
        """A step of a compiled function of the user's own."""
        return self._compiled.run(owner, eager, compiled, batch, lambda: None) if self._compiled is not None else compiled()

    def holding(self, variables: Sequence[Any], values: Sequence[Any]) -> AbstractContextManager[Any]:
        """Give variables other values for a while."""
        return holding(variables, values)

    def _step_of_model(self, model: Any, eager: Eager, compiled: Compiled, batch: object, state: PassedState | None) -> Any:
        host = cast("CompilingHost", self._host)

        def loss() -> tuple[SourcePlace, float] | None:
            value = self._tracker.read(model)
            return (self._compilation.call, value) if value is not None and self._compilation.call is not None else None

        def step() -> Any:
            with host.quiet():
                return compiled()

        values = state.at_hand if state is not None else nullcontext
        return self._compiled.run(model, eager, step, batch, loss, values) if self._compiled is not None else compiled()

    def _apply(self, original: Callable[..., Any], optimizer: Any, grads: Any, trainable_variables: Any = None) -> Any:
        """A step of an optimizer."""
        gradients = list(grads)
        given = [gradient for gradient in gradients if gradient is not None]
        variables = list(trainable_variables) if trainable_variables is not None else list(optimizer._trainable_variables)
        if not self._monitor.active or not given:
            return original(optimizer, gradients, trainable_variables)
        if not is_concrete(given) or (self._compiled is not None and self._compiled.is_running):
            self._traced(optimizer, variables)
            return original(optimizer, gradients, trainable_variables)
        if self._host is not None:
            self._host.before_guest_step()
        attempt = self._monitor.attempt
        if self._compiled is not None and cast("CompilingHost", self._host).rehearsed is not None:
            with attempt("the step of a rehearsal could not be observed"):
                self._compiled.stepping(optimizer, variables)
                self._optimizers.measure_gradients(gradients, variables)
            return None
        with attempt("a step of an optimizer could not be observed"):
            self._before(optimizer, gradients, variables)
        result = original(optimizer, gradients, trainable_variables)
        with attempt("what a step of an optimizer did could not be observed"):
            self._after(optimizer, variables)
        return result

    def _traced(self, optimizer: Any, variables: Sequence[Any]) -> None:
        """A step has been traced into a compiled function."""
        if self._compiled is not None:
            self._compiled.stepping(optimizer, variables)
            cast("CompilingHost", self._host).traced()

    def _before(self, optimizer: Any, gradients: Sequence[Any], variables: Sequence[Any]) -> None:
        with self._monitor.measured():
            key = self._optimizers.key(optimizer)
            self._optimizers.own(optimizer, variables)
            if not self._monitor.sampling:
                return
            self._optimizers.measure_gradients(gradients, variables)
            self._optimizers.measure_before(optimizer, variables)
            self._readout.flush()
            bad = self._optimizers.bad_gradients()
        if bad and self._host is not None:
            self._host.explain_gradients(bad, key)

    def _after(self, optimizer: Any, variables: Sequence[Any]) -> None:
        monitor = self._monitor
        with monitor.measured():
            key = self._optimizers.key(optimizer)
            passes = self._host.after_guest_step(key) if self._host is not None else 1
            if self._optimizers.clips(optimizer):
                monitor.count(key, clipped=1)
            detail = None
            with monitor.attempt("a step could not be looked at closely"):
                detail = self._detail(optimizer) if monitor.sampling else None
        monitor.finish_step(key, detail, passes)

    def _detail(self, optimizer: Any) -> StepDetail:
        self._optimizers.measure_after()
        data = self._trainers.last_batch
        batch = record_step(data, self._layers.columns) if data is not None else self._layers.record_inputs()
        self._readout.flush()
        return StepDetail(
            self._layers.take_samples(),
            self._optimizers.take_samples(),
            self._optimizers.settings(optimizer),
            batch,
            calls=self._calls.take(),
        )

    def _at_graded(self, graded: Graded, prediction: Any) -> None:
        """A loss was given a prediction in a sampled step."""
        model, inputs, output = self._layers.last_call
        if output is prediction:
            self._recent.keep(graded, model, inputs)

    def _at_epoch(self, model: Any, logs: Mapping[str, Any]) -> None:
        """An epoch of ``fit`` has ended with these measures."""
        optimizer = attribute(model, "optimizer")
        step = self._monitor.steps_of(self._optimizers.key(optimizer)) if optimizer is not None else 0
        for name, value in logs.items():
            number = _number(value)
            if number is not None:
                self._monitor.metric(name, step, number)


def _number(value: Any) -> float | None:
    try:
        number = float(ops.convert_to_numpy(value)) if ops.is_tensor(value) else float(value)
    except (TypeError, ValueError):
        return None
    return number if not math.isnan(number) else None
