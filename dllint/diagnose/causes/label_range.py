"""Labels outside of the range that the loss expects, or too few outputs for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.learning import courses
from dllint.diagnose.places import SourcePlace
from dllint.edit import Edit

_PIXEL: Final = 255
_BINARY: Final = ("binary_cross_entropy", "bce_with_logits")


class LabelRange(Hypothesis):
    """The smallest and the largest label that were seen do not fit the loss."""

    kind = "label-range"
    supports: ClassVar = {
        "out of range": 1.0,
        "invalid loss": 1.0,
        "exploding": 0.8,
        "numerical error": 0.6,
        "loss not decreasing": 0.8,
        "accuracy not increasing": 0.8,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Number them from 0; or one output per label."""
        for place, lowest, highest, classes in _labels(case):
            target = _target(case, place)
            if target is None:
                continue
            code, node = target
            is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
            text = code.source(node) if is_plain else f"({code.source(node)})"
            if lowest == 1 and highest == max(classes, 2):
                yield "Number the labels from 0", (code.replace(node, f"{text} - 1"),), 1.0
            elif not classes and (lowest, highest) == (-1, 1):
                yield "Number the labels 0 and 1", (code.replace(node, f"({text} + 1) / 2"),), 1.0
            elif not classes and (lowest, highest) == (0, _PIXEL):
                yield "Divide the targets by 255", (code.replace(node, f"{text} / 255"),), 1.0
            if classes and highest >= classes:
                yield from _more_outputs(case, classes, int(highest) + 1, 0.9 if lowest else 1.0)


def _labels(case: Case) -> Iterator[tuple[SourcePlace | None, float, float, int]]:
    """Where a loss takes labels, the least and the largest of them, and for how many classes there are predictions (0: the loss
    takes yes and no)."""
    for call in case.run.rejected:
        if call.argument == "target":
            yield call.place, call.lowest, call.highest, call.classes
    for course in courses(case.run):
        if course.kind in _BINARY:
            lowest = min(call.target.minimum for call in course.calls)
            highest = max(call.target.maximum for call in course.calls)
            yield course.calls[-1].place, lowest, highest, 0


def _target(case: Case, place: SourcePlace | None) -> tuple[Code, ast.expr] | None:
    spot = case.spot(place)
    return (spot.code, spot.call.args[1]) if spot is not None and len(spot.call.args) > 1 else None


def _more_outputs(case: Case, classes: int, wanted: int, strength: float) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """The last linear layer with a literal number of outputs."""
    fitting = [spot for _, spot in case.layer_spots("Linear") if number(next(iter(spot.call.args[1:2]), None)) == classes]
    if fitting:
        spot = fitting[-1]
        yield f"Give the model {wanted} outputs", (spot.code.replace(spot.call.args[1], str(wanted)),), strength
