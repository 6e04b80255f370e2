"""The loss expects something else than the model's head gives: logits, probabilities, or log-probabilities."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: Loss (class or function) that takes logits → activations that must not stand before it.
_TAKES_LOGITS: Final = {
    "CrossEntropyLoss": ("Softmax", "LogSoftmax", "Sigmoid", "ReLU"),
    "cross_entropy": ("Softmax", "LogSoftmax", "Sigmoid", "ReLU"),
    "BCEWithLogitsLoss": ("Sigmoid", "Softmax", "ReLU"),
    "binary_cross_entropy_with_logits": ("Sigmoid", "Softmax", "ReLU"),
}
#: Loss that takes probabilities → the one that takes logits.
_TAKES_PROBABILITIES: Final = {"BCELoss": "BCEWithLogitsLoss", "binary_cross_entropy": "binary_cross_entropy_with_logits"}
_FUNCTIONS: Final = {"softmax": "Softmax", "log_softmax": "LogSoftmax", "sigmoid": "Sigmoid", "relu": "ReLU"}


class LossPairing(Hypothesis):
    """An activation at the end of the model that the loss applies itself, or one that is missing."""

    kind = "loss-pairing"
    supports: ClassVar = {
        "loss not decreasing": 0.9,
        "accuracy not increasing": 0.9,
        "out of range": 0.95,
        "numerical error": 0.7,
        "invalid loss": 0.9,
        "initial loss": 0.7,
        "saturated activation": 0.7,
        "vanishing gradient": 0.6,
        "cannot fit one batch": 0.8,
        "dead node": 0.5,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Take the activation away, or use the loss that applies it."""
        used = list(_losses(case))
        for loss in used:
            name = loss.code.name(loss.call.func).rpartition(".")[2]
            for activation in _TAKES_LOGITS.get(name, ()):
                yield from _without_last(case, activation, name)
            if name in _TAKES_PROBABILITIES:
                better = _TAKES_PROBABILITIES[name]
                function = loss.code.source(loss.call.func)
                edit = loss.code.replace(loss.call.func, f"{function.removesuffix(name)}{better}")
                removed = next((edits for _, edits, _ in _without_last(case, "Sigmoid", name)), ())
                yield f"Use {better}, which takes logits", (edit, *removed), 0.8


def _losses(case: Case) -> Iterator[Spot]:
    """The calls that build or compute a loss."""
    wanted = {*_TAKES_LOGITS, *_TAKES_PROBABILITIES}
    for code in case.codes():
        for call in code.calls():
            if code.name(call.func).rpartition(".")[2] in wanted:
                yield Spot(code, call)


def _without_last(case: Case, activation: str, loss: str) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    message = f"Take the {activation} before {loss} away"
    for code in case.codes():
        for call in code.calls():
            name = code.name(call.func)
            short = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
            if short == activation and name.startswith("torch.nn."):
                edits = _last_of_sequence(code, call)
            elif _FUNCTIONS.get(short) == activation:
                edits = _returned(code, call)
            else:
                edits = ()
            if edits:
                yield message, edits, 1.0


def _last_of_sequence(code: Code, call: ast.Call) -> tuple[Edit, ...]:
    """The edit that takes a layer from the end of a ``Sequential``."""
    around = code.parent(call)
    if not isinstance(around, ast.Call) or code.name(around.func) != "torch.nn.Sequential" or around.args[-1] is not call:
        return ()
    if len(around.args) < 2:
        return ()
    return (Edit(code.path, code.span(around.args[-2])[1], code.span(call)[1], ""),)


def _returned(code: Code, call: ast.Call) -> tuple[Edit, ...]:
    """The edit that takes an activation from what a forward pass returns."""
    function = code.function(call)
    if not isinstance(function, ast.FunctionDef) or function.name != "forward" or not isinstance(code.parent(call), ast.Return):
        return ()
    is_method = not code.name(call.func).startswith("torch") and isinstance(call.func, ast.Attribute)
    kept = call.func.value if is_method and isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    return (code.replace(call, code.source(kept)),) if kept is not None else ()
