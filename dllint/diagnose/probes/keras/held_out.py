"""What ``fit`` is given to evaluate a model on: arrays, or the end of those that it is trained on."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, ParamSpec

import keras
import numpy as np
from keras import ops, tree

from dllint.diagnose.assignments import argument_of
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.keras.data import classes_of
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.same_rows import Array, shared_rows
from dllint.diagnose.records import HeldOutRecord

P = ParamSpec("P")

#: The positions of arguments of ``fit`` after the model.
_AT: Final = {"x": 0, "y": 1, "validation_split": 6, "validation_data": 7}


class HeldOut:
    """Compares what is evaluated with what is trained on, once for each place."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches
        self._known: set[SourcePlace] = set()

    def install(self) -> None:
        """Note trainings from now on."""
        self._patches.wrap(keras.Model, "fit", self._fit)

    def _fit(self, original: Callable[Concatenate[Any, P], Any], model: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        frame = next(user_frames(sys._getframe(2)), None) if self._monitor.active else None
        if frame is not None and not self._monitor.is_distributed:
            with self._monitor.attempt("what a model is evaluated on could not be looked at"), self._monitor.measured():
                self._compare(place_of(frame), {name: _given(args, kwargs, name) for name in _AT})
        return original(model, *args, **kwargs)

    def _compare(self, call: SourcePlace, given: Mapping[str, Any]) -> None:
        if call in self._known:
            return
        self._known.add(call)
        whole, share = _arrays((given["x"], given["y"])), given["validation_split"]
        held = given["validation_data"]
        if isinstance(held, tuple | list) and len(held) > 1:
            self._record(call, "validation_data", whole, _arrays(held[:2]))
        elif held is None and isinstance(share, float) and 0 < share < 1 and whole:
            at = math.floor(len(whole[0]) * (1.0 - share))
            kinds = (_kind(given["x"]), _kind(given["y"]))
            self._record(call, "validation_split", [one[:at] for one in whole], [one[at:] for one in whole], kinds)

    def _record(
        self, call: SourcePlace, argument: str, trained: Sequence[Array], held: Sequence[Array], kinds: tuple[str, ...] = ()
    ) -> None:
        if len(trained) < 2 or len(held) < 2:
            return
        place = argument_of(call, "fit", _AT[argument], argument) or call
        samples, shared = shared_rows(trained, held)
        is_tail = argument == "validation_split"
        record = HeldOutRecord(place, samples, shared, classes_of(held[-1]), classes_of(trained[-1]), is_tail, kinds)
        self._monitor.held_out(record)


def _given(args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str) -> Any:
    return args[_AT[name]] if len(args) > _AT[name] else kwargs.get(name)


def _arrays(parts: Sequence[Any]) -> list[Array]:
    """Inputs and targets as arrays, the targets last; nothing if one of them is something else."""
    leaves = [leaf for part in parts for leaf in tree.flatten(part)]
    arrays = [_array(leaf) for leaf in leaves]
    known = [array for array in arrays if array is not None and array.ndim]
    return known if len(known) == len(leaves) else []


def _kind(value: Any) -> str:
    """The kind of a value, by which a repair knows how samples are taken from it."""
    return {"numpy": "array", "torch": "array", "pandas": "table"}.get(_library(value), "")


def _library(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _array(value: Any) -> Array | None:
    if isinstance(value, np.ndarray):
        return value
    if _library(value) == "pandas":
        return np.asarray(value.to_numpy())
    return host_array(value) if ops.is_tensor(value) else None
