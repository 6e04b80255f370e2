"""The first operation whose result is not finite, with the user's line, in forward and backward."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Final
from weakref import ref

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.torch.modules import float_tensors
from dllint.diagnose.probes.torch.statistics import read_stats

#: What puts infinities or unset memory into tensors on purpose.
_DELIBERATE: Final = {
    *(
        "empty",
        "empty_like",
        "empty_strided",
        "new_empty",
        "new_empty_strided",
        "full",
        "full_like",
        "new_full",
        "fill",
        "fill_",
    ),
    *("masked_fill", "masked_fill_", "where", "scalar_tensor", "lift_fresh", "copy_", "_to_copy", "clone", "detach", "zero_"),
    *("triu", "tril"),
}


class FirstBad(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Follows values that are not finite back to the operations that made them.

    Infinities that a program puts in on purpose, as masks do, have no origin; if such a one turns into NaN, the operation where
    it does is the origin.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._origins: dict[int, tuple[Any, BadOperation]] = {}
        self._places: dict[int, tuple[SourcePlace | None, nn.Module | None]] = {}
        self.first_backward: BadOperation | None = None
        self.first: BadOperation | None = None

    def origin(self, tensor: Tensor) -> BadOperation | None:
        """The operation that a tensor's bad values come from."""
        known, bad = self._origins.get(id(tensor), (lambda: None, None))
        return bad if known() is tensor else None

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation and look at its result."""
        result = operation(*args, **(kwargs or {}))
        node = torch._C._current_autograd_node()
        if node is None:
            frame = sys._getframe(1)
            self._places.setdefault(torch.autograd._get_sequence_nr() - 1, (_user_place(frame), _module(frame)))
        bad = [tensor for tensor in float_tensors(result) if not bool(torch.isfinite(tensor).all())]
        if bad:
            self._follow(operation, [*float_tensors(args), *float_tensors(kwargs or {})], bad, node)
        return result

    def _follow(self, operation: Any, inputs: list[Tensor], bad: list[Tensor], node: Any) -> None:
        name = operation.__name__.partition(".")[0]
        origin = next((found for found in map(self.origin, inputs) if found is not None), None)
        finite = all(bool(torch.isfinite(tensor).all()) for tensor in inputs)
        if origin is None and name not in _DELIBERATE and (finite or _makes_nan(inputs, bad)):
            origin = self._describe(name, inputs, bad, node)
            self.first = self.first or origin
            if node is not None:
                self.first_backward = self.first_backward or origin
        if origin is not None:
            for tensor in bad:
                self._origins[id(tensor)] = (ref(tensor), origin)

    def _describe(self, name: str, inputs: list[Tensor], bad: list[Tensor], node: Any) -> BadOperation:
        frame = sys._getframe(3)
        place, module = _user_place(frame), _module(frame)
        if node is not None:
            place, module = self._places.get(node._sequence_nr(), (place, module))
        value = "nan" if any(bool(torch.isnan(tensor).any()) for tensor in bad) else "inf"
        phase = "forward" if node is None else "backward"
        return BadOperation(name, phase, value, place, module, tuple(read_stats(tensor) for tensor in inputs))


def _makes_nan(inputs: list[Tensor], bad: list[Tensor]) -> bool:
    return any(bool(torch.isnan(tensor).any()) for tensor in bad) and not any(bool(torch.isnan(t).any()) for t in inputs)


def _user_place(frame: FrameType) -> SourcePlace | None:
    user = next(user_frames(frame), None)
    return place_of(user) if user is not None else None


def _module(frame: FrameType | None) -> nn.Module | None:
    """The innermost module whose method is running."""
    while frame is not None:
        module = frame.f_locals.get("self") if "self" in frame.f_code.co_varnames[:1] else None
        if isinstance(module, nn.Module):
            return module
        frame = frame.f_back
    return None
