"""The activation stops gradients: rectifiers that are dead, or deep chains of sigmoids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_RECTIFIERS: Final = ("ReLU", "ReLU6")
_SQUASHING: Final = ("Sigmoid", "Tanh", "Softmax")


class DeadRectifier(Hypothesis):
    """A ReLU passes no gradient for negative inputs; a leaky one always does."""

    kind = "activation"
    supports: ClassVar = {"dead node": 0.9, "unchanged weight": 0.6, "vanishing gradient": 0.5, "loss not decreasing": 0.3}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A leaky rectifier, or a smooth one."""
        wanted = case.symptom.layer
        spots = dict.fromkeys(spot for layer, spot in case.layer_spots(*_RECTIFIERS) if wanted in (layer.name, None))
        if spots:
            yield "Use LeakyReLU", tuple(_swapped(spot, "LeakyReLU") for spot in spots), 1.0
            yield "Use GELU", tuple(_swapped(spot, "GELU") for spot in spots), 0.8


class SquashingDepth(Hypothesis):
    """Each sigmoid passes on at most a quarter of the gradient: in hidden layers a rectifier is better."""

    kind = "activation"
    supports: ClassVar = {
        "vanishing gradient": 0.95,
        "saturated activation": 0.8,
        "loss not decreasing": 0.6,
        "accuracy not increasing": 0.6,
        "unchanged weight": 0.5,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Rectifiers instead, but for the last layer of a model."""
        last = {max(layer.depth for layer in case.run.layers if layer.model == model) for model in _models(case)}
        hidden = dict.fromkeys(spot for layer, spot in case.layer_spots(*_SQUASHING) if layer.depth not in last)
        if not hidden:
            return
        swaps, strength = tuple(_swapped(spot, "ReLU") for spot in hidden), min(1.0, 0.6 + 0.1 * len(hidden))
        yield "Use ReLU in the hidden layers", swaps, strength
        for _, root in case.roots():
            drawn = _drawn_for_rectifiers(root)
            if drawn is not None:
                yield "Use ReLU in the hidden layers, with weights drawn for it (He)", (*swaps, drawn), 0.98 * strength


def _swapped(spot: Spot, kind: str) -> Edit:
    """The edit that calls another class of the same module."""
    prefix = spot.code.source(spot.call.func).rpartition(".")[0]
    return spot.code.replace(spot.call, f"{prefix}.{kind}()" if prefix else f"torch.nn.{kind}()")


def _drawn_for_rectifiers(root: Spot) -> Edit | None:
    """The edit that initialises a model's weights again after it was built; torch's defaults are too small for deep ReLU
    networks."""
    code, name = root.code, root.code.assigned_to(root.call)
    if name is None or code.alias("torch").startswith("__"):
        return None
    matrices = f"[p for p in {name}.parameters() if p.dim() > 1]"
    line = f"[{code.alias('torch')}.nn.init.kaiming_normal_(p, nonlinearity='relu') for p in {matrices}]"
    return code.insert_after(code.statement(root.call), line)


def _models(case: Case) -> set[str]:
    return {layer.model for layer in case.run.layers}
