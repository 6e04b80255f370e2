"""The loop of ``fit``: batches as they are given to a step, and the measures at the end of an epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Final, ParamSpec

import keras

from dllint.diagnose.limits import Stopped
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.keras.passed_state import PassedState
from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")

#: What a step is made of: its Python code (``None`` if it cannot be had), and the compiled function.
Eager = Callable[[], object] | None
Compiled = Callable[[], Any]


_SEVERAL: Final = (
    "several steps in one call (steps_per_execution) or on several devices: only loss and weights were observed, once per call"
)
_NO_BATCH: Final = object()
_UNSEEN: Final = "a step of Keras's own loop could not be observed"

#: Makes a step: the model, what the step is made of, the batch, and the values of the model's variables if they are not in it.
MakeStep = Callable[[Any, Eager, Compiled, object, PassedState | None], Any]


class Trainers:
    """Watches Keras's own loop. ``last_batch`` is what ``train_step`` is given, ``None`` in loops of the user's own.
    ``compiled`` makes steps of models whose step is a compiled function; it is ``None`` while there are no such models."""

    def __init__(self, monitor: Monitor, patches: Patches, at_epoch: Callable[[Any, Mapping[str, Any]], None]) -> None:
        self._monitor = monitor
        self._patches = patches
        self._at_epoch = at_epoch
        self.is_finished = False
        self.last_batch: Any = None
        self.is_compiled: Callable[[Any], bool] = lambda model: False
        self.make_step: MakeStep | None = None
        #: An iterator over one batch, of the same kind as the one that it comes from.
        self.alone: Callable[[Any, Any], Any] = lambda batches, batch: iter((batch,))

    def install(self) -> None:
        """Note steps and epochs from now on."""
        self._patches.wrap(keras.Model, "make_train_function", self._make)
        self._patches.wrap(keras.callbacks.CallbackList, "on_epoch_end", self._epoch)

    def adopt(self, model: Any) -> None:
        """A model whose training has begun already."""
        function = attribute(model, "train_function")
        if isinstance(function, _WatchedFunction) and function.trainers.is_finished:
            # Of a training that was watched before.
            function = function.function
        if function is not None and not isinstance(function, _WatchedFunction):
            model.train_function = _WatchedFunction(function, model, self)

    def finish(self) -> None:
        """Functions that models still hold do nothing of their own from now on."""
        self.is_finished = True

    def _make(self, original: Callable[Concatenate[Any, P], Any], model: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        result = original(model, *args, **kwargs)
        if self._monitor.active:
            self.adopt(model)
        return result

    def step(self, function: Callable[..., Any], model: Any, args: tuple[Any, ...]) -> Any:
        """Make a step of a model by its function, and look at it."""
        if self.is_finished or not self._monitor.active:
            return function(*args)
        backend = keras.backend.backend()
        try:
            if backend == "tensorflow":
                return self._tensorflow_step(function, model, args[0])
            if backend == "jax" and self.make_step is not None:
                return self._jax_step(self.make_step, function, model, *args)
            if backend == "torch":
                with self._monitor.attempt(_UNSEEN):
                    self.last_batch = args[0][0]
            return function(*args)
        finally:
            self.last_batch = None

    def _tensorflow_step(self, function: Callable[..., Any], model: Any, batches: Any) -> Any:
        if self._makes_several(lambda: model.steps_per_execution > 1 or model.distribute_strategy.num_replicas_in_sync > 1):
            return self._compiled(model, None, lambda: function(batches))
        # Batches are taken here rather than inside the compiled step, so that they can be looked at.
        batch = next(batches, _NO_BATCH)
        if batch is _NO_BATCH:
            # The compiled step finds that out by itself, and counts a step up to there.
            return function(batches)
        self.last_batch = batch
        return self._compiled(
            model, lambda: model._autoconvert_optionals(model.train_step)(batch), lambda: function(self.alone(batches, batch))
        )

    def _jax_step(self, make_step: MakeStep, function: Callable[..., Any], model: Any, values: Any, batches: Any) -> Any:
        state = PassedState(model, values)
        batch, eager = None, None
        if not self._makes_several(lambda: model.steps_per_execution > 1 or keras.distribution.distribution() is not None):
            self.last_batch = batch = next(batches)
            batches, eager = iter((batch,)), lambda: model.train_step(state.values, batch)
        try:
            return make_step(model, eager, lambda: state.step(function, batches), batch, state)
        except Stopped:
            state.hand_back()
            raise

    def _makes_several(self, is_several: Callable[[], bool]) -> bool:
        """Whether one call makes steps that cannot be told apart; of a model of which that cannot be said, it is taken for one
        that does, as its batches are then left alone."""
        with self._monitor.attempt(_UNSEEN):
            if not is_several():
                return False
            self._monitor.note(_SEVERAL)
        return True

    def _compiled(self, model: Any, eager: Callable[[], object] | None, compiled: Callable[[], Any]) -> Any:
        make_step: MakeStep | None = None
        with self._monitor.attempt(_UNSEEN):
            make_step = None if model.run_eagerly or not self.is_compiled(model) else self.make_step
        return compiled() if make_step is None else make_step(model, eager, compiled, self.last_batch, None)

    def _epoch(self, original: Callable[..., Any], callbacks: Any, epoch: int, logs: Any = None) -> Any:
        if self._monitor.active:
            with self._monitor.measured():
                self._at_epoch(attribute(callbacks, "_model"), logs if isinstance(logs, dict) else {})
        return original(callbacks, epoch, logs)


class _WatchedFunction:
    """The step of a model."""

    def __init__(self, function: Callable[..., Any], model: Any, trainers: Trainers) -> None:
        self.function = function
        self.trainers = trainers
        self._model = model

    def __call__(self, *args: Any) -> Any:
        return self.trainers.step(self.function, self._model, args)


class LossTracker:
    """The loss of each batch, from the running mean that Keras keeps over an epoch."""

    def __init__(self) -> None:
        self._model: Any = None
        self._latest = (0.0, 0.0)

    def begin_anew(self, original: Callable[..., Any], model: Any) -> None:
        """A model sets its running means to zero."""
        original(model)
        if self._model is model:
            self._latest = (0.0, 0.0)

    def read(self, model: Any) -> float | None:
        """The mean loss since the last call, ``None`` if there was none."""
        tracker = attribute(model, "_loss_tracker")
        if tracker is None:
            return None
        now = float(tracker.total), float(tracker.count)
        # A step counts: a mean of no more steps than before has begun anew, at an epoch's beginning.
        before = self._latest if self._model is model and now[1] > self._latest[1] else (0.0, 0.0)
        self._model, self._latest = model, now
        return (now[0] - before[0]) / (now[1] - before[1]) if now[1] > before[1] else None
