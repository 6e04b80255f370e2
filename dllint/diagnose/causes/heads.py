"""Activations at the end of models, as the source writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.records import LayerRecord
from dllint.edit import Edit

_FUNCTIONS: Final = {"softmax": "Softmax", "log_softmax": "LogSoftmax", "sigmoid": "Sigmoid", "relu": "ReLU", "tanh": "Tanh"}


def without_last(case: Case, activation: str) -> Iterator[tuple[Edit, ...]]:
    """The edits that take an activation (named as a layer) away from where models end with it."""
    ends = {id(spot.call) for layer, spot in case.layer_spots(activation) if layer in _ends(case)}
    classes = {layer.kind for layer in _ends(case)}
    for code in case.codes():
        for call in code.calls():
            name = code.name(call.func)
            short = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
            edits: tuple[Edit, ...] = ()
            if short == activation and name.startswith("torch.nn.") and id(call) in ends:
                edits = _last_of_sequence(code, call)
            elif _FUNCTIONS.get(short) == activation:
                edits = _returned(code, call, classes)
            if edits:
                yield edits


def _ends(case: Case) -> list[LayerRecord]:
    """The layers that models end with: the last one of the forward pass, and those that it is a part of."""
    ends: list[LayerRecord] = []
    for model in dict.fromkeys(layer.model for layer in case.run.layers):
        layers = [layer for layer in case.run.layers if layer.model == model]
        names = {layer.name for layer in layers}
        composed = {name.rpartition(".")[0] for name in names}
        # Functions are met after all layers, whatever their order in the forward pass.
        built = [layer for layer in layers if layer.name not in composed and layer.kind[:1].isupper()]
        last = max(built, key=lambda layer: layer.depth, default=None)
        if last is not None:
            ends += [layer for layer in layers if layer is last or last.name.startswith(f"{layer.name}.")]
    return ends


def _last_of_sequence(code: Code, call: ast.Call) -> tuple[Edit, ...]:
    """The edit that takes a layer from the end of a ``Sequential``."""
    around = code.parent(call)
    if not isinstance(around, ast.Call) or code.name(around.func) != "torch.nn.Sequential" or around.args[-1] is not call:
        return ()
    if len(around.args) < 2:
        return ()
    return (Edit(code.path, code.span(around.args[-2])[1], code.span(call)[1], ""),)


def _returned(code: Code, call: ast.Call, classes: set[str]) -> tuple[Edit, ...]:
    """The edit that takes an activation from what a forward pass returns."""
    function = code.function(call)
    if not isinstance(function, ast.FunctionDef) or function.name != "forward" or not isinstance(code.parent(call), ast.Return):
        return ()
    owner = code.parent(function)
    if not isinstance(owner, ast.ClassDef) or owner.name not in classes:
        return ()
    is_method = not code.name(call.func).startswith("torch") and isinstance(call.func, ast.Attribute)
    kept = call.func.value if is_method and isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    return (code.replace(call, code.source(kept)),) if kept is not None else ()
