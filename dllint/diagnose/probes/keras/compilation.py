"""``compile`` and the calls that train: where loss and optimizer were chosen, and which call is training."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

import keras

from dllint.diagnose.assignments import argument_of
from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.containers import attribute, name_of
from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")

#: What of Keras trains a model.
_TRAINING: Final = ("fit", "train_on_batch")


class Compilation:
    """Knows the loss of every model, and the calls of the user's that have Keras train."""

    def __init__(self, monitor: Monitor, patches: Patches, at_compile: Callable[..., None]) -> None:
        self._monitor = monitor
        self._patches = patches
        self._at_compile = at_compile
        self._losses: IdentityMap[Any, tuple[SourcePlace | None, str]] = IdentityMap()
        self._calls: dict[SourcePlace, Any] = {}
        #: The latest call that trains.
        self.call: SourcePlace | None = None

    def install(self) -> None:
        """Note compilations and trainings from now on."""
        # Where it is defined: a model that is loaded is not compiled if its class seems to have a method of its own.
        self._patches.wrap(defining(keras.Model, "compile"), "compile", self._compile)
        for name in _TRAINING:
            self._patches.wrap(keras.Model, name, self._train)

    def adopt(self, model: Any) -> None:
        """A model whose training has begun already: by the innermost of the user's calls under way."""
        frame = next(user_frames(sys._getframe(1)), None)
        if frame is not None and isinstance(model, keras.Model):
            self.call = place_of(frame)
            self._calls[self.call] = model

    def origin(self, call: SourcePlace) -> tuple[SourcePlace | None, str] | None:
        """For a call that trains: the expression that is the model's loss, and the kind of loss."""
        if call not in self._calls:
            return None
        return self.loss(self._calls[call], call)

    def loss(self, model: Any, call: SourcePlace | None) -> tuple[SourcePlace | None, str]:
        """The loss that a model was compiled with; of a model that was loaded, the call that trains it."""
        place, kind = self._losses.get(model, (None, _kind(attribute(model, "loss"))))
        return place or call, kind

    def _compile(self, original: Callable[Concatenate[Any, P], Any], model: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        result = original(model, *args, **kwargs)
        if self._monitor.active:
            frame = next(user_frames(sys._getframe(2)), None)
            call = place_of(frame) if frame is not None else None
            loss = argument_of(call, "compile", 1, "loss") if call is not None else None
            self._losses[model] = (loss or call, _kind(attribute(model, "loss")))
            optimizer = argument_of(call, "compile", 0, "optimizer") if call is not None else None
            self._at_compile(attribute(model, "optimizer"), call, optimizer or call)
        return result

    def _train(self, original: Callable[Concatenate[Any, P], Any], model: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        frame = next(user_frames(sys._getframe(2)), None) if self._monitor.active else None
        if frame is not None:
            self.call = place_of(frame)
            self._calls[self.call] = model
        try:
            return original(model, *args, **kwargs)
        except BaseException:
            self._monitor.at_failure(model)
            raise


def defining(kind: type, name: str) -> type:
    """The class, of a class and its bases, that an attribute comes from."""
    return next((base for base in kind.__mro__ if name in vars(base)), kind)


def _kind(loss: Any) -> str:
    """The name of a loss: of its class or function."""
    if isinstance(loss, str):
        try:
            loss = keras.losses.get(loss)
        except ValueError:
            return str(loss)
    if isinstance(loss, keras.losses.Loss):
        return type(loss).__name__
    return name_of(loss)
