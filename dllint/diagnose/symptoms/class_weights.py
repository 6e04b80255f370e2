"""DLX112: weights of classes that make rare ones rarer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.diagnose.learning import Course, courses
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence, Severity

_IMBALANCE: Final = Threshold(3, "own: classes that are worth weighing against each other")
_RATIO: Final = Threshold(1.5, "own: weights that differ by more than rounding or smoothing")
_SEEN: Final = Threshold(10, "own: samples by which a class is known to be rare")
_STEPS: Final = Threshold(20, "own: steps after which the counts of labels are those of the data")
_FOUND: Final = Threshold(0.5, "own: share of the rare class that a model finds which copes with the weights")


class WeightsOfFrequentClasses(SymptomCheck):
    """The loss counts samples of frequent classes more than those of rare ones, wherever two classes differ much in number: the
    weights are frequencies, or belong to other classes. A hint only while the model finds the rarest class all the same."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "weights of frequent classes"
    confidence = Confidence.MEDIUM
    explains = ("class imbalance", "accuracy not increasing", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each loss, about the classes that differ most."""
        for course in courses(run):
            weights = _weights(course)
            pairs = list(_pairs(course, weights)) if course.steps[-1].step >= _STEPS.value else []
            if not pairs or any(weights[many] < _RATIO.value * weights[few] for many, few in pairs):
                continue
            many, few = max(pairs, key=lambda pair: course.labels[pair[0]] / course.labels[pair[1]])
            times = weights[many] / weights[few]
            rare = f"{course.labels[few]} of {course.labels.total()} samples, class {many} {course.labels[many]}"
            yield self.found(
                f"The loss counts a sample of class {many} {times:.3g} times as much as one of class {few}, "
                f"which is rarer ({rare})",
                course.calls[-1].place,
                step=course.steps[-1].step,
                severity=Severity.INFO if _found_share(course, few) >= _FOUND.value else None,
                rare=course.labels[few],
                frequent=course.labels[many],
                weight_of_rare=weights[few],
                weight_of_frequent=weights[many],
            )


def _found_share(course: Course, label: str) -> float:
    """The share of a class that is predicted rightly of late."""
    seen = sum(call.labels.get(label, 0) for call in course.latest)
    return sum(call.hits.get(label, 0) for call in course.latest) / seen if seen else 0.0


def _weights(course: Course) -> dict[str, float]:
    """What the classes that were seen count; nothing if that changes."""
    known: dict[str, float] = {}
    for call in course.calls:
        if any(known.setdefault(label, weight) != weight for label, weight in call.class_weights.items()):
            return {}
    return known


def _pairs(course: Course, weights: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """The classes that have weights, in pairs of a frequent and a rare one."""
    known = [label for label, count in course.labels.items() if count >= _SEEN.value and weights.get(label, 0.0) > 0]
    for many in known:
        for few in known:
            if course.labels[many] >= _IMBALANCE.value * course.labels[few]:
                yield many, few
