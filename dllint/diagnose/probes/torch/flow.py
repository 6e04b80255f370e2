"""Data flow of a sampled step: which activation produced the input of a layer or loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import ref

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch.seclusion import is_freed


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of an outermost module in a training step: its arguments, and where its outputs lie in memory."""

    model: ref[nn.Module]
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    outputs: tuple[int, ...]

    @property
    def given(self) -> tuple[Any, ...]:
        """All arguments."""
        return (*self.arguments, *self.keywords.values())

    def part(self, value: Tensor) -> int | None:
        """Which of the outputs a value is, or a view of."""
        return self.outputs.index(value.data_ptr()) if value.data_ptr() in self.outputs else None


@dataclass(frozen=True, slots=True)
class ActivationOutput:
    """The output of an activation: its kind, and the layer that it is."""

    kind: str
    layer: str


def is_ordinary(value: object) -> bool:
    """Whether a value is a tensor with memory of its own that may be looked at (none of a transformation's stand-ins)."""
    if not isinstance(value, Tensor) or torch._C._functorch.is_functorch_wrapped_tensor(value):
        return False
    is_dense = type(value) in (Tensor, nn.Parameter) and value.layout is torch.strided and not value.is_meta
    return is_dense and not is_freed(value)


class Flow:
    """Follows values by the memory they lie in: views keep it, and so does what is changed in place."""

    def __init__(self) -> None:
        self._outputs: dict[int, ActivationOutput] = {}
        self._fed: set[str] = set()
        #: The outermost module's last call in this step, once it has returned.
        self.call: ModelCall | None = None

    def begin(self) -> None:
        """A step begins: memory of the last one may be used again."""
        self._outputs, self._fed = {}, set()
        self.call = None

    def make(self, output: Any, kind: str, layer: str) -> None:
        """An activation gave an output."""
        if is_ordinary(output):
            self._outputs[_memory(output)] = ActivationOutput(kind, layer)

    def pass_on(self, given: object, output: Any) -> None:
        """A layer without weights: its output counts as its input."""
        made = self.maker(given)
        if made is not None and is_ordinary(output):
            self._outputs[_memory(output)] = made

    def enter(self, given: object) -> None:
        """A layer with weights was given a value."""
        made = self.maker(given)
        if made is not None:
            self._fed.add(made.layer)

    def maker(self, value: object) -> ActivationOutput | None:
        """The activation that made a value."""
        return self._outputs.get(_memory(value)) if is_ordinary(value) else None

    def feeds(self, layer: str) -> bool:
        """Whether an activation's output went into a layer with weights in this step."""
        return layer in self._fed


def _memory(value: Any) -> int:
    return int(value.data_ptr())
