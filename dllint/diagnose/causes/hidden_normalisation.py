"""The scale of activations drifts from layer to layer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_NORMS = {"Linear": "LayerNorm", "Conv1d": "BatchNorm1d", "Conv2d": "BatchNorm2d", "Conv3d": "BatchNorm3d"}


class HiddenNormalisation(Hypothesis):
    """A model of several layers has no normalisation at all."""

    kind = "normalisation"
    supports: ClassVar = {
        "vanishing gradient": 0.8,
        "saturated activation": 0.75,
        "exploding": 0.55,
        "dead node": 0.6,
        "loss not decreasing": 0.5,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A normalisation after each hidden layer with weights."""
        if any("Norm" in layer.kind for layer in case.run.layers):
            return
        edits = dict.fromkeys(edit for code in case.codes() for edit in _in_sequences(code))
        if edits:
            yield "Normalise the values between the layers", tuple(edits), 1.0


def _in_sequences(code: Code) -> Iterator[Edit]:
    """After every layer of a ``Sequential`` whose number of outputs is its second argument, but the last one."""
    for call in code.calls():
        if code.name(call.func) != "torch.nn.Sequential":
            continue
        layers = [item for item in call.args if isinstance(item, ast.Call) and _kind(code, item) in _NORMS]
        for layer in layers[:-1]:
            if len(layer.args) > 1:
                prefix = code.source(layer.func).rpartition(".")[0]
                norm = f"{prefix}.{_NORMS[_kind(code, layer)]}" if prefix else f"torch.nn.{_NORMS[_kind(code, layer)]}"
                end = code.span(layer)[1]
                yield Edit(code.path, end, end, f", {norm}({code.source(layer.args[1])})")


def _kind(code: Code, call: ast.Call) -> str:
    return code.name(call.func).rpartition(".")[2]
