"""Activations that stop gradients, as Keras layers name them."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.diagnose.causes.activations import DeadRectifier, SquashingDepth
from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.keras.source import Activated, activated, heads
from dllint.edit import Edit


class KerasDeadRectifier(DeadRectifier):
    """A rectifier below zero gives no gradient; one that leaks always does."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A leaking rectifier, or a smooth one."""
        wanted = case.symptom.layer
        dead = [item for item in activated(case) if item.activation == "relu" and wanted in (item.layer.name, None)]
        if dead:
            yield "Use a leaky ReLU", _changed(dead, "leaky_relu"), 1.0
            yield "Use GELU", _changed(dead, "gelu"), 0.8


class KerasSquashingDepth(SquashingDepth):
    """Each sigmoid passes on at most a quarter of the gradient: in hidden layers a rectifier is better."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Rectifiers instead, but for the last layer of a model."""
        last = {head.layer.name for head in heads(case)}
        hidden = [
            item
            for item in activated(case)
            if item.activation in ("sigmoid", "tanh", "softmax", "hard_sigmoid") and item.layer.name not in last
        ]
        if hidden:
            yield "Use ReLU in the hidden layers", _changed(hidden, "relu"), min(1.0, 0.6 + 0.1 * len(hidden))


def _changed(items: list[Activated], activation: str) -> tuple[Edit, ...]:
    """Layers that one line builds in a loop are changed together."""
    return tuple(dict.fromkeys(item.changed(activation) for item in items))
