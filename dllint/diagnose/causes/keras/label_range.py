"""Labels numbered from 1 for a Keras loss that expects classes from 0."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.keras.training_calls import training_calls
from dllint.diagnose.causes.label_range import LabelRange
from dllint.diagnose.learning import courses
from dllint.edit import Edit

_OF_LABELS: Final = ("probability_cross_entropy", "cross_entropy", "binary_cross_entropy", "bce_with_logits")


class KerasLabelRange(LabelRange):
    """The smallest label is 1, and the largest one the number of classes."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Number them from 0 where they are handed to the training."""
        for course in courses(case.run):
            lowest = min(call.target.minimum for call in course.calls)
            highest = max(call.target.maximum for call in course.calls)
            units = course.calls[-1].prediction_shape[-1:]
            if course.kind not in _OF_LABELS or lowest != 1 or not units or highest != max(units[0], 2):
                continue
            for code, call in training_calls(case):
                if len(call.args) > 1 and isinstance(call.args[1], ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                    text = f"{code.source(call.args[1])} - 1"
                    yield "Number the labels from 0", (code.replace(call.args[1], text),), 1.0
