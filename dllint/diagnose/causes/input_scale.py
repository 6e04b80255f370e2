"""The inputs are not normalised."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.evidence import unscaled_input
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import BatchTensor
from dllint.edit import Edit

_PIXELS: Final = 255.0
_NORMS: Final = {2: "BatchNorm1d", 4: "BatchNorm2d", 5: "BatchNorm3d"}


class InputScale(Hypothesis):
    """Mean or spread of the inputs is far from what initial weights are made for."""

    kind = "input-scale"
    supports: ClassVar = {
        "numerical error": 0.7,
        "exploding": 0.95,
        "initial loss": 0.95,
        "loss not decreasing": 0.95,
        "accuracy not increasing": 0.9,
        "oscillation": 0.9,
        "update-to-weight ratio": 0.6,
        "cannot fit one batch": 0.8,
        "dead node": 0.9,
        "saturated activation": 0.95,
        "vanishing gradient": 0.6,
        "unscaled input": 1.0,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Standardise where the model takes its input."""
        given = unscaled_input(case.run)
        if given is None or given.stats is None:
            return
        for layer, spot in case.roots():
            if layer.kind == "Sequential":
                yield from _first_layer(spot, given)
            else:
                yield from _forward(spot, layer.kind, given)


def _first_layer(spot: Spot, given: BatchTensor) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """A layer before the others."""
    code, call = spot.code, spot.call
    if not call.args:
        return
    start = code.span(call.args[0])[0]
    if len(given.shape) in _NORMS and isinstance(call.func, ast.Attribute) and not code.name(call.func).startswith("keras."):
        norm = f"{code.source(call.func.value)}.{_NORMS[len(given.shape)]}({given.shape[1]})"
        yield "Standardise the inputs", (Edit(code.path, start, start, f"{norm}, "),), 1.0


def _forward(spot: Spot, kind: str, given: BatchTensor) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """The beginning of the model's forward pass."""
    code, stats = spot.code, given.stats
    for node in ast.walk(code.tree):
        if not isinstance(node, ast.ClassDef) or node.name != kind or stats is None:
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name in ("forward", "call") and len(method.args.args) > 1:
                name = method.args.args[1].arg
                first = method.body[0]
                standard = f"{name} = ({name} - {stats.mean:.4g}) / {max(stats.std, 1e-6):.4g}"
                yield "Standardise the inputs", (code.insert_before(first, standard),), 1.0
                if is_pixels(given):
                    yield "Divide the inputs by 255", (code.insert_before(first, f"{name} = {name} / 255"),), 0.9


def is_pixels(given: BatchTensor) -> bool:
    """Whether the numbers are those of unscaled images."""
    return given.stats is not None and given.stats.minimum >= 0 and _PIXELS / 2 < given.stats.maximum <= _PIXELS
