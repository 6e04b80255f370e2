"""Callbacks of Keras that decide by a measure, as they see it at the end of an epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

import keras
from keras import ops

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")

_DECIDING: Final = ("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint")


class Deciders:
    """Watches these callbacks."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches

    def install(self) -> None:
        """Note what they are given from now on."""
        for name in _DECIDING:
            kind = getattr(keras.callbacks, name)
            self._patches.wrap(kind, "__init__", self._build)
            self._patches.wrap(kind, "on_epoch_end", self._decide)

    def _build(self, original: Callable[Concatenate[Any, P], None], callback: Any, *args: P.args, **kwargs: P.kwargs) -> None:
        original(callback, *args, **kwargs)
        if self._monitor.active:
            self._monitor.decisions.built(callback, next(iter(user_places(2, 1)), None))

    def _decide(self, original: Callable[..., Any], callback: Any, epoch: int, logs: Any = None) -> Any:
        result = original(callback, epoch, logs)
        measure = attribute(callback, "monitor")
        if self._monitor.active and isinstance(logs, dict) and isinstance(logs.get(measure), int | float):
            self._monitor.decisions.given(callback, measure, _mode(attribute(callback, "monitor_op")), float(logs[measure]))
            if attribute(callback, "stopped_epoch", 0) and attribute(callback, "baseline") is None:
                self._monitor.decisions.stopped(callback, attribute(callback, "min_delta"), attribute(callback, "patience"))
        return result


def _mode(compare: object) -> str:
    """The direction that a callback has settled for, also where it was left to Keras."""
    if compare is ops.less:
        return "min"
    return "max" if compare is ops.greater else ""
