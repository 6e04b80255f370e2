"""The loss expects another kind of prediction than the model gives: logits, probabilities, or log-probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.heads import without_last
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
        "unchanged weight": 0.65,
        "dead node": 0.5,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Take the activation away, or use the loss that applies it."""
        used = list(_losses(case))
        for loss in used:
            name = loss.code.name(loss.call.func).rpartition(".")[2]
            for activation in _TAKES_LOGITS.get(name, ()):
                for edits in without_last(case, activation):
                    yield f"Take the {activation} before {name} away", edits, 1.0
            if name in _TAKES_PROBABILITIES:
                better = _TAKES_PROBABILITIES[name]
                function = loss.code.source(loss.call.func)
                edit = loss.code.replace(loss.call.func, f"{function.removesuffix(name)}{better}")
                removed = next(without_last(case, "Sigmoid"), ())
                yield f"Use {better}, which takes logits", (edit, *removed), 0.8


def _losses(case: Case) -> Iterator[Spot]:
    """The calls that build or compute a loss."""
    wanted = {*_TAKES_LOGITS, *_TAKES_PROBABILITIES}
    for code in case.codes():
        for call in code.calls():
            if code.name(call.func).rpartition(".")[2] in wanted:
                yield Spot(code, call)
