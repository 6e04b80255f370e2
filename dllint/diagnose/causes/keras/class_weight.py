"""A class is rare, and its samples count no more than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.class_weight import ClassWeight
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.keras.training_calls import training_calls
from dllint.diagnose.learning import sole_course
from dllint.edit import Edit

#: The most frequent class against the rarest one, from which on weights are worth a trial.
_UNEVEN: Final = 3


class KerasClassWeight(ClassWeight):
    """``fit`` could weigh the samples of each class by how rare it is."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Weights that make all classes count alike."""
        course = sole_course(case.run)
        labels: Counter[str] = course.labels if course is not None else Counter()
        if len(labels) < 2 or max(labels.values()) < _UNEVEN * min(labels.values()):
            return
        total = sum(labels.values())
        weights = ", ".join(
            f"{name}: {total / len(labels) / count:.3g}"
            for name, count in sorted(labels.items(), key=lambda entry: int(entry[0]))
        )
        for code, call in training_calls(case):
            if keyword(call, "class_weight", "sample_weight") is None:
                yield (
                    "Weigh the classes by how rare they are",
                    (code.with_keyword(call, "class_weight", f"{{{weights}}}"),),
                    1.0,
                )
