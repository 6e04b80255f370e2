"""Labels of padding are no label that the loss leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_LOSSES: Final = tuple(
    f"torch.nn.{name}" for name in ("CrossEntropyLoss", "NLLLoss", "functional.cross_entropy", "functional.nll_loss")
)
_FILLING: Final = "torch.nn.utils.rnn.pad_sequence"
_LEFT_OUT: Final = -100
#: Words in names of labels.
_LABELS: Final = re.compile(r"label|tag|target|\by\b|\bys\b", re.IGNORECASE)


class FilledLabels(Hypothesis):
    """The loss counts a label that is padding only; or labels are filled up with one that is a class, too."""

    kind = "labels-of-padding"
    supports: ClassVar = {"labels of padding": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Have the loss leave that label out if it is no class, else fill up with one that the loss leaves out."""
        label, elsewhere = case.symptom.evidence.get("label"), case.symptom.evidence.get("elsewhere")
        if not isinstance(label, int):
            return
        for code in case.files():
            for edit in _left_out(code, label) if not elsewhere else ():
                yield f"Leave label {label} out of the loss", (edit,), 1.0
            for edit, strength in _filled_otherwise(case, code, label):
                yield f"Fill labels up with {_LEFT_OUT}, which the loss leaves out", (edit,), strength


def _left_out(code: Code, label: int) -> Iterator[Edit]:
    for call in code.calls():
        if code.name(call.func) in _LOSSES and keyword(call, "ignore_index") is None:
            yield code.with_keyword(call, "ignore_index", str(label))


def _filled_otherwise(case: Case, code: Code, label: int) -> Iterator[tuple[Edit, float]]:
    """The calls that fill up with the label; which of them takes labels is told by names, else by trials."""
    for call in code.calls():
        if code.name(call.func) != _FILLING or not call.args or len(call.args) > 2:
            continue
        given = keyword(call, "padding_value")
        if (case.number(code, given) if given is not None else 0) == label:
            is_named = _LABELS.search(code.source(call.args[0]))
            yield code.with_keyword(call, "padding_value", str(_LEFT_OUT)), 0.9 if is_named else 0.3
