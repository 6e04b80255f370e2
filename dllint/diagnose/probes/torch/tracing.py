"""The operations of one forward pass, with what they took and gave and the user's line of each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Final

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from dllint.diagnose.places import SourcePlace, is_user_file, place_of

#: A forward pass of more operations than this is not traced.
_MOST: Final = 5000
_MOST_PLACES: Final = 8


class TooLongError(Exception):
    """A forward pass has more operations than are traced."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of a function of torch: its name, the tensors that it took and gave, the operations (by number) that gave what it
    took, and the user's places that led to it, innermost first."""

    name: str
    taken: tuple[Tensor, ...]
    given: tuple[Tensor, ...]
    sources: tuple[int | None, ...]
    places: tuple[SourcePlace, ...]
    is_grad_enabled: bool


class Trace(TorchFunctionMode):
    """Keeps the operations that are called inside. ``replace`` may perform an operation in another way: it is given the number
    of the operation, its function and its arguments."""

    def __init__(self, until: CodeType, replace: Callable[[int, Any, Any, Any], Any] | None = None) -> None:
        super().__init__()
        self.operations: list[Operation] = []
        self._until = until
        self._replace = replace
        self._made: dict[int, int] = {}

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the function and keep what it did.

        Raises:
            TooLongError: there have been too many.
        """
        named = kwargs or {}
        number = len(self.operations)
        if number >= _MOST:
            raise TooLongError
        taken = tuple(tensors((args, named)))
        sources = tuple(self._made.get(id(tensor)) for tensor in taken)
        result = self._replace(number, function, args, named) if self._replace is not None else function(*args, **named)
        given = tuple(tensors(result))
        places = tuple(_places(sys._getframe(1), self._until))
        kept = tuple(tensor.detach().clone() if any(tensor is one for one in taken) else tensor for tensor in given)
        name = getattr(function, "__name__", "")
        if name == "__get__":
            name = getattr(getattr(function, "__self__", None), "__name__", name)
        self.operations.append(Operation(name, taken, kept, sources, places, torch.is_grad_enabled()))
        self._made |= {id(tensor): number for tensor in given}
        return result

    def origin_of(self, tensor: Tensor) -> int | None:
        """The number of the operation that gave a tensor last."""
        return self._made.get(id(tensor))


def tensors(value: Any) -> Iterator[Tensor]:
    """The tensors in arguments or results."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def _places(frame: FrameType | None, until: CodeType) -> Iterator[SourcePlace]:
    found = 0
    while frame is not None and frame.f_code is not until and found < _MOST_PLACES:
        if is_user_file(frame.f_code.co_filename):
            found += 1
            yield place_of(frame)
        frame = frame.f_back
