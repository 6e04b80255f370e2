"""A class is so rare that it hardly contributes to the loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.learning import sole_course
from dllint.edit import Edit

_IMBALANCE: Final = 5
_OF_CLASSES: Final = ("CrossEntropyLoss", "cross_entropy", "NLLLoss", "nll_loss")
_OF_YES_AND_NO: Final = ("BCEWithLogitsLoss", "binary_cross_entropy_with_logits")


class ClassWeight(Hypothesis):
    """The labels that were seen are far from equally frequent, and all count the same."""

    kind = "class-weight"
    supports: ClassVar = {"class imbalance": 1.0, "accuracy not increasing": 0.6, "loss not decreasing": 0.4}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Weights that make the classes count alike."""
        course = sole_course(case.run)
        labels = dict(course.labels) if course is not None else {}
        if course is None or len(labels) < 2 or max(labels.values()) < _IMBALANCE * min(labels.values()):
            return
        for spot in _losses(case):
            name = spot.code.name(spot.call.func).rpartition(".")[2]
            argument = "weight" if name in _OF_CLASSES else "pos_weight"
            if keyword(spot.call, argument) is not None:
                continue
            values = _weights(labels, course.calls[-1].classes) if name in _OF_CLASSES else _ratio(labels)
            if values:
                end = spot.code.span(spot.call)[1] - 1
                text = f"{argument}={spot.code.alias('torch')}.tensor([{', '.join(f'{value:.4g}' for value in values)}])"
                joint = ", " if spot.call.args or spot.call.keywords else ""
                yield "Give the rare classes more weight", (Edit(spot.code.path, end, end, f"{joint}{text}"),), 1.0


def _losses(case: Case) -> Iterator[Spot]:
    for code in case.codes():
        for call in code.calls():
            if code.name(call.func).rpartition(".")[2] in (*_OF_CLASSES, *_OF_YES_AND_NO):
                yield Spot(code, call)


def _weights(labels: Mapping[str, int], classes: int) -> list[float]:
    """The inverse of each class's frequency, 1 on average over the samples; those never seen count 1."""
    total = sum(labels.values())
    counts = [labels.get(str(number), 0) for number in range(classes)]
    return [total / (len(labels) * count) if count else 1.0 for count in counts]


def _ratio(labels: Mapping[str, int]) -> list[float]:
    """How many negative samples there are for a positive one."""
    return [labels["0"] / labels["1"]] if set(labels) == {"0", "1"} else []
