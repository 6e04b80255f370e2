"""Data flow of a sampled step: which activation produced the input of a layer or loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ActivationOutput:
    """The output of an activation: the tensor, the activation's kind, and the layer that ends in it."""

    tensor: Any
    kind: str
    layer: str


class Flow:
    """Follows tensors by their identity: layers hand them to each other as they are."""

    def __init__(self) -> None:
        self._outputs: dict[int, ActivationOutput] = {}
        self._fed: set[str] = set()

    def begin(self) -> None:
        """A step begins; the tensors of the last one may go."""
        self._outputs, self._fed = {}, set()

    def make(self, output: Any, kind: str, layer: str) -> None:
        """An activation gave an output."""
        self._outputs[id(output)] = ActivationOutput(output, kind, layer)

    def pass_on(self, given: Any, output: Any) -> None:
        """A layer without weights: its output counts as its input."""
        made = self.maker(given)
        if made is not None:
            self._outputs[id(output)] = ActivationOutput(output, made.kind, made.layer)

    def enter(self, given: Any) -> None:
        """A layer with weights was given a value."""
        made = self.maker(given)
        if made is not None:
            self._fed.add(made.layer)

    def maker(self, value: Any) -> ActivationOutput | None:
        """The activation that made a value."""
        return self._outputs.get(id(value))

    def feeds(self, layer: str) -> bool:
        """Whether an activation's output went into a layer with weights in this step."""
        return layer in self._fed
