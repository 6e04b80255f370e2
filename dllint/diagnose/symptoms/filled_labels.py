"""DLX112: labels of padding that the loss counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.diagnose.learning import courses
from dllint.diagnose.records import FilledLabels, RunRecord, StepRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_SHARE: Final = Threshold(0.5, "own: padding that counts as much as all else")
_GAP: Final = Threshold(0.2, "own: by so much the accuracy of all labels is above that of true ones")
_STEPS: Final = Threshold(40, "own: steps after which a model knows the label of padding")
_CALLS: Final = Threshold(5, "own: batches of which most are filled up")
#: The share of a run that is not "of late".
_EARLY: Final = 2 / 3


class LabelsOfPadding(SymptomCheck):
    """Most labels that a loss counts are those of places where the sequences that the model is given are filled up: loss and
    accuracy tell how well it knows padding. A hint only where it does about as well on true labels, or of which nothing is
    known of late. Silent if the program weighs its losses itself."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "labels of padding"
    explains = ("class imbalance",)

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each loss function."""
        for course in courses(run):
            known = _known(course.steps)
            if course.steps[-1].step < _STEPS.value or len(known) < max(_CALLS.value, len(course.steps) / 2):
                continue
            count, others = sum(one.count for one in known), sum(one.others for one in known)
            if count < _SHARE.value * (count + others) or not others or len({one.label for one in known}) > 1:
                continue
            steps = next(track.steps for track in run.tracks if track.key == course.steps[0].track)
            late = _known([step for step in course.steps if step.step > steps * _EARLY])
            yield self.found(
                f"{count / (count + others):.0%} of the labels that the loss counts are padding: label {known[0].label} where "
                f"the sequences are filled up{_told(late)}",
                course.calls[-1].place,
                step=course.steps[-1].step,
                severity=None if late and _gap(late) >= _GAP.value else Severity.INFO,
                label=known[0].label,
                padding=count,
                others=others,
                elsewhere=sum(one.elsewhere for one in known),
            )


def _known(steps: Sequence[StepRecord]) -> list[FilledLabels]:
    return [call.filled for step in steps for call in step.calls if call.filled is not None]


def _accuracy(late: Sequence[FilledLabels]) -> float:
    """Of true labels."""
    return sum(one.right for one in late) / max(sum(one.others for one in late), 1)


def _gap(late: Sequence[FilledLabels]) -> float:
    """What padding adds to the accuracy, if all of it is predicted rightly."""
    count, others = sum(one.count for one in late), sum(one.others for one in late)
    return (1 - _accuracy(late)) * count / max(count + others, 1)


def _told(late: Sequence[FilledLabels]) -> str:
    return f"; of the others {_accuracy(late):.0%} are predicted rightly of late" if late else ""
