"""The first operation whose result is not finite, with the user's line, in forward and backward."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

import numpy as np
from tensorflow.python.framework import op_callbacks

from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.tensor_numbers import stats_of_array

#: What puts infinities into tensors on purpose, or only passes on what it is given.
_DELIBERATE: Final = {
    *("Fill", "Const", "Select", "SelectV2", "Identity", "IdentityN", "Cast", "ReadVariableOp", "AssignVariableOp", "Pack"),
    *("Reshape", "ConcatV2", "ExpandDims", "Squeeze", "Tile", "BroadcastTo", "OnesLike", "ZerosLike", "StopGradient"),
}


@dataclass(frozen=True, slots=True)
class _Ran:
    """A forward operation that has run."""

    operation: str
    place: SourcePlace | None
    module: object


class FirstBad:
    """Follows values that are not finite back to the operations that made them. ``is_module`` knows the objects that
    operations are told to belong to; ``backward`` is to be set while gradients are computed."""

    def __init__(self, is_module: Callable[[object], bool]) -> None:
        self._is_module = is_module
        self._origins: dict[int, BadOperation] = {}
        self._made: dict[int, _Ran] = {}
        self._used: dict[int, _Ran] = {}
        # Tensors are told apart by their ids, so that none may go while this one lives.
        self._kept: list[Any] = []
        self._looking = False
        self.backward = False
        self.first: BadOperation | None = None
        self.first_backward: BadOperation | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Operations inside the block are followed."""
        op_callbacks.add_op_callback(self._after)
        try:
            yield
        finally:
            op_callbacks.remove_op_callback(self._after)

    def origin(self, tensor: Any) -> BadOperation | None:
        """The operation that a tensor's bad values come from."""
        return self._origins.get(id(tensor))

    def _after(self, kind: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        if graph is not None or self._looking:
            return
        self._looking = True
        try:
            self._look(kind, [t for t in inputs if hasattr(t, "numpy")], [t for t in outputs if hasattr(t, "numpy")])
        finally:
            self._looking = False

    def _look(self, kind: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self._kept += [*inputs, *outputs]
        if not self.backward:
            ran = self._ran(kind)
            self._made.update((id(tensor), ran) for tensor in outputs)
            self._used.update((id(tensor), ran) for tensor in inputs)
        bad = [array for array in map(_floats, outputs) if array is not None and not np.isfinite(array).all()]
        if not bad:
            return
        given = [array for array in map(_floats, inputs) if array is not None]
        origin = next((found for found in map(self.origin, inputs) if found is not None), None)
        if origin is None and kind not in _DELIBERATE and (_all_finite(given) or _makes_nan(given, bad)):
            origin = self._describe(kind, inputs, given, bad)
            self.first = self.first or origin
            if self.backward:
                self.first_backward = self.first_backward or origin
        if origin is not None:
            self._origins.update((id(tensor), origin) for tensor in outputs)

    def _ran(self, kind: str) -> _Ran:
        frame = sys._getframe(3)
        user = next(user_frames(frame), None)
        return _Ran(kind, place_of(user) if user is not None else None, self._module(frame))

    def _describe(self, kind: str, inputs: Sequence[Any], given: Sequence[Any], bad: Sequence[Any]) -> BadOperation:
        ran = (self._forward(kind, inputs) if self.backward else None) or self._ran(kind)
        value = "nan" if any(np.isnan(array).any() for array in bad) else "inf"
        phase = "backward" if self.backward else "forward"
        return BadOperation(kind, phase, value, ran.place, ran.module, tuple(stats_of_array(array) for array in given))

    def _forward(self, kind: str, inputs: Sequence[Any]) -> _Ran | None:
        """The operation of the forward pass that one of the backward pass belongs to: a ``…Grad`` takes what the operation has
        given, other derivatives are computed from what it has taken."""
        for tensor in inputs:
            made = self._made.get(id(tensor))
            if made is not None and kind == f"{made.operation}Grad":
                return made
        return next((self._used[id(tensor)] for tensor in inputs if id(tensor) in self._used), None)

    def _module(self, frame: FrameType | None) -> object:
        """The innermost module whose method is running."""
        while frame is not None:
            owner = frame.f_locals.get("self") if "self" in frame.f_code.co_varnames[:1] else None
            if owner is not None and self._is_module(owner):
                return owner
            frame = frame.f_back
        return None


def _floats(tensor: Any) -> np.ndarray[Any, Any] | None:
    if not tensor.dtype.is_floating:
        return None
    return np.asarray(tensor.numpy(), dtype=np.float64 if tensor.dtype.name == "float64" else np.float32)


def _all_finite(arrays: Sequence[np.ndarray[Any, Any]]) -> bool:
    return all(bool(np.isfinite(array).all()) for array in arrays)


def _makes_nan(given: Sequence[np.ndarray[Any, Any]], bad: Sequence[np.ndarray[Any, Any]]) -> bool:
    return any(np.isnan(array).any() for array in bad) and not any(np.isnan(array).any() for array in given)
