"""DLX112: labels that are rare, and labels in an order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import Course, sole_course
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_IMBALANCE: Final = Threshold(10, "SageMaker Debugger: the most frequent class against the rarest one")
_MISSED: Final = Threshold(0.7, "SageMaker Debugger: share of a class that is predicted wrongly")
_RARE: Final = Threshold(10, "own: samples that a judgement about a rare class rests on")
_MANY: Final = Threshold(10, "own: classes that are more than kinds of a thing")
_STEPS: Final = Threshold(100, "own: rare classes are learnt last")
_SORTED: Final = Threshold(0.5, "own: fewer than half of the changes that a random order gives")
_DEVIATIONS: Final = Threshold(5, "own: standard deviations below a random order (runs test)")
_BETWEEN: Final = Threshold(0.1, "own: share of the labels' variance that lies between batches")
_EXPECTED: Final = Threshold(20, "own: changes of label that a random order gives")


class ClassImbalance(SymptomCheck):
    """A class has ten times fewer samples than another, and most of its samples are predicted wrongly. Imbalance that the model
    copes with is none, nor is that of many classes none of which prevails: letters and words are as rare as they are."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "class imbalance"
    explains = ("accuracy not increasing",)

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run, about the class that is missed most."""
        course = sole_course(run)
        if course is None or len(course.labels) < 2 or run.tracks[0].steps < _STEPS.value:
            return
        most, count = course.labels.most_common(1)[0]
        if len(course.labels) > _MANY.value and 2 * count < course.labels.total():
            return
        missed = [(share, label) for label, share in _missed(course) if course.labels[label] * _IMBALANCE.value <= count]
        share, label = max(missed, default=(0.0, ""))
        if share >= _MISSED.value:
            yield self.found(
                f"Class {label} has {course.labels[label]} of {sum(course.labels.values())} samples, class {most} {count}: "
                f"{share:.0%} of the former are predicted wrongly",
                course.calls[-1].place,
                step=course.steps[-1].step,
                rare=course.labels[label],
                frequent=count,
                missed=share,
            )


def _missed(course: Course) -> Iterator[tuple[str, float]]:
    """The share of wrong predictions of each class of late."""
    seen: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for call in course.latest:
        seen.update(call.labels)
        hits.update(call.hits)
    for label, count in seen.items():
        if count >= _RARE.value:
            yield label, 1 - hits[label] / count


class LabelOrder(SymptomCheck):
    """Neighbouring samples have the same label far more often than in a random order: the data is sorted and not shuffled.
    Silent if all data is in one batch, where order does not matter, or every batch has all labels in their usual shares (some
    samplers put samples of a class side by side), and if targets are more than a label per sample."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "unshuffled labels"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or course.repeats_one_batch or len(course.labels) < 2:
            return
        total = sum(course.labels.values())
        differing = 1 - sum((count / total) ** 2 for count in course.labels.values())
        known = [call for call in course.calls if call.changes is not None and call.labels]
        neighbours = sum(sum(call.labels.values()) - 1 for call in known)
        expected, changes = neighbours * differing, sum(call.changes or 0 for call in known)
        deviation = math.sqrt(max(expected * (1 - differing), 1e-9))
        if expected < _EXPECTED.value or changes > _SORTED.value * expected or _between(course) < _BETWEEN.value:
            return
        if expected - changes > _DEVIATIONS.value * deviation:
            yield self.found(
                f"The labels come in an order: neighbouring samples differ in {changes} of {neighbours} cases, shuffled ones "
                f"would in about {expected:.0f}",
                course.calls[-1].place,
                step=course.steps[-1].step,
                changes=changes,
                expected=expected,
            )


def _between(course: Course) -> float:
    """The share of the labels' variance that lies between batches: 0 in a random order, 1 if every batch has one label."""
    total = sum(course.labels.values())
    shares = {label: count / total for label, count in course.labels.items()}
    within, known = 0.0, 0
    for call in course.calls:
        size = sum(call.labels.values())
        if call.changes is not None and size > 1:
            # Of few samples, the variance is too small by the share of one of them.
            within += (1 - sum((count / size) ** 2 for count in call.labels.values())) * size / (size - 1)
            known += 1
    whole = 1 - sum(share**2 for share in shares.values())
    return 1 - within / known / whole if known and whole else 0.0


class RepeatedBatch(SymptomCheck):
    """A loader with more data gives the same batch at every step."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "identical batches"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run."""
        course = sole_course(run)
        if course is None or not course.repeats_one_batch or len(course.steps) < _RARE.value:
            return
        batch = course.steps[-1].batch
        size = batch.tensors[0].shape[:1] if batch is not None and batch.tensors else ()
        if batch is None or batch.available is None or not size or batch.available < 2 * size[0]:
            return
        if batch.given is not None and batch.given >= course.steps[-1].step:
            yield self.found(
                f"All {len(course.steps)} sampled steps had the same {size[0]} samples; the data set has {batch.available}",
                course.calls[-1].place,
                step=course.steps[-1].step,
                batch=size[0],
                available=batch.available,
            )
