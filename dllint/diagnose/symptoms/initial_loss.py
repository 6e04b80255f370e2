"""DLX109: a first loss far above what guessing gives."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.learning import courses
from dllint.diagnose.records import LossCall, RunRecord, TensorStats
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_OFF: Final = Threshold(2.0, "TheDeepChecker: off -ln(1/n) by more than 100 %")
_OUTPUT: Final = Threshold(10.0, "own: outputs of an untrained regression above 10 times the targets")
_SAMPLES: Final = Threshold(8, "own: predictions that a first loss must rest on")
_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


class InitialLoss(SymptomCheck):
    """Before training a classifier should be about as good as guessing: -ln(1/n) for n classes. A much greater first loss
    comes from weights or inputs that are too large. A smaller one is that of a model which has been trained before. Margins and
    low temperatures raise the first loss on purpose: it is only a hint where the model does far better than a constant."""

    code = "DLX109"
    name = "initial-loss-off"
    symptom = "initial loss"
    is_mild = True

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per loss function."""
        for course in courses(run):
            first = course.calls[0]
            if course.steps[0].step != 1 or first.prediction.count < _SAMPLES.value:
                continue
            if first.classes > 1 and first.value > _OFF.value * math.log(first.classes):
                yield self._of_classifier(first)
            elif first.kind in _REGRESSIONS and _size(first.prediction) > _OUTPUT.value * max(_size(first.target), 1.0):
                yield self._of_regression(first)

    def _of_classifier(self, first: LossCall) -> Symptom:
        expected = math.log(first.classes)
        return self.found(
            f"The first loss is {first.value:.4g}; guessing among {first.classes} classes gives {expected:.4g}: the outputs of "
            "the untrained model are too large",
            first.place,
            step=1,
            value=first.value,
            expected=expected,
            output=_size(first.prediction),
        )

    def _of_regression(self, first: LossCall) -> Symptom:
        return self.found(
            f"The untrained model's outputs are of the size {_size(first.prediction):.3g}, the targets of "
            f"{_size(first.target):.3g}",
            first.place,
            step=1,
            value=first.value,
            output=_size(first.prediction),
            target=_size(first.target),
        )


class SumReduction(SymptomCheck):
    """The loss is the sum over the batch: its gradients, and with them the right learning rate, grow with the batch."""

    code = "DLX109"
    name = "initial-loss-off"
    symptom = "sum reduction"
    severity = Severity.INFO

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per loss function that is the only one of its steps."""
        for course in courses(run):
            call = course.calls[-1]
            if call.reduction == "sum" and call.prediction_shape[:1] > (1,) and not course.has_learnt:
                yield self.found(
                    f"The loss is summed over the batch of {call.prediction_shape[0]}: its size depends on the batch size",
                    call.place,
                    step=course.steps[-1].step,
                    batch=call.prediction_shape[0],
                )


def _size(stats: TensorStats) -> float:
    """The root mean square."""
    return math.hypot(stats.mean, stats.std)
