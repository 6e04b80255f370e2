"""DLX113: predictions and targets that the loss function is not made for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from dllint.diagnose.learning import Course, courses
from dllint.diagnose.records import LossCall, RejectedCall, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_SAMPLES: Final = Threshold(3, "own: the same in at least 3 sampled steps, and in all of them")
_SUM: Final = Threshold(1e-3, "own: rows that sum to 1 up to rounding are probabilities")
_ROWS: Final = Threshold(16, "own: fewer rows may sum to 1 by chance")
_OUTSIDE: Final = Threshold(0.05, "own: a target may lie outside by this share of the activation's range (soft labels)")
#: What activations can give.
_RANGES: Final = {"sigmoid": (0.0, 1.0), "softmax": (0.0, 1.0), "tanh": (-1.0, 1.0), "relu": (0.0, float("inf"))}
_BINARY: Final = ("binary_cross_entropy", "bce_with_logits")
_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


class OutputRange(SymptomCheck):
    """The contract between the model's last activation, the loss function and the targets is broken: a softmax before a loss
    that takes logits, a sigmoid before one that applies its own, targets outside of what the activation can give, scores where
    log-probabilities belong, labels that there are no predictions for, shapes that are broadcast against each other."""

    code = "DLX113"
    name = "output-range-vs-loss"
    symptom = "out of range"
    explains = (
        "loss not decreasing",
        "accuracy not increasing",
        "cannot fit one batch",
        "no better than baseline",
        "invalid loss",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """At most one report per loss function."""
        for rejected in run.rejected:
            yield self._of_rejected(rejected)
        for course in courses(run):
            if len(course.calls) <= _SAMPLES.value:
                continue
            # What made the predictions may not have been seen in the very first step.
            course = replace(course, calls=course.calls[1:])
            reasons = ((reason, find in _CERTAIN) for find in _FAULTS if (reason := find(course)) is not None)
            reason, is_certain = next(reasons, (None, False))
            if reason is not None:
                call = course.calls[-1]
                yield self.found(
                    reason,
                    call.place,
                    severity=Severity.ERROR if is_certain else None,
                    step=course.steps[-1].step,
                    loss=call.kind,
                    activation=call.activation,
                    prediction=[call.prediction.minimum, call.prediction.maximum],
                    target=[call.target.minimum, call.target.maximum],
                )

    def _of_rejected(self, call: RejectedCall) -> Symptom:
        return self.found(
            _rejection(call),
            call.place,
            severity=Severity.ERROR,
            loss=call.kind,
            argument=call.argument,
            lowest=call.lowest,
            highest=call.highest,
            classes=call.classes,
        )


def _rejection(call: RejectedCall) -> str:
    """Why a loss function has raised."""
    span = f"from {call.lowest:g} to {call.highest:g}"
    if call.classes:
        return f"The labels go {span}, but the predictions have {call.classes} classes, 0 to {call.classes - 1}"
    return f"The {call.argument}s go {span}, but binary cross entropy takes probabilities between 0 and 1"


def _broadcast(course: Course) -> str | None:
    if course.kind not in _REGRESSIONS or not all(_is_broadcast(call) for call in course.calls):
        return None
    call = course.calls[-1]
    return (
        f"Predictions of shape {_shape(call.prediction_shape)} and targets of shape {_shape(call.target_shape)} are broadcast: "
        "every prediction is compared with every target"
    )


def _is_broadcast(call: LossCall) -> bool:
    """Shapes that differ in more than axes of one element, so that a batch meets itself."""
    first, second = call.prediction_shape, call.target_shape
    return first != second and len(first) != len(second) and min(first[:1] + second[:1], default=1) > 1 and 1 in first + second


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _softmax_before_logits(course: Course) -> str | None:
    if course.kind != "cross_entropy" or not all(_are_probabilities(call) for call in course.calls):
        return None
    return "The predictions are probabilities (every row sums to 1), but cross entropy takes logits and applies its own softmax"


def _are_probabilities(call: LossCall) -> bool:
    if call.activation == "softmax" and call.classes > 1:
        return True
    rows = call.prediction.count / max(call.classes, 1)
    sums = call.row_sum is not None and call.row_sum < _SUM.value
    return sums and rows >= _ROWS.value and call.prediction.minimum >= 0


def _single_class(course: Course) -> str | None:
    if course.kind == "cross_entropy" and all(call.classes == 1 for call in course.calls):
        return "Cross entropy of a single output is always 0: one output per class is needed, or a binary loss"
    if all(call.activation == "softmax" and call.prediction_shape[-1:] == (1,) for call in course.calls):
        return "A softmax over a single output is always 1"
    return None


def _softmax_before_binary(course: Course) -> str | None:
    """A softmax over several classes where each output is judged by itself."""
    if course.kind != "binary_cross_entropy" or not all(_is_choice(call) for call in course.calls):
        return None
    return (
        "The predictions come out of a softmax over several classes, but binary cross entropy judges every class by itself: "
        "it is mostly about the classes that a sample is not of"
    )


def _is_choice(call: LossCall) -> bool:
    """Whether one class of several is to be chosen: by the prediction and, as far as the means tell, by the target."""
    classes = call.prediction_shape[-1] if len(call.prediction_shape) > 1 else 1
    return call.activation == "softmax" and classes > 2 and abs(call.target.mean * classes - 1) < _SUM.value


def _sigmoid_before_logits(course: Course) -> str | None:
    if course.kind != "bce_with_logits" or not all(call.activation in ("sigmoid", "softmax") for call in course.calls):
        return None
    return "The predictions have been through a sigmoid already, but this loss takes logits and applies its own"


def _rectified_logits(course: Course) -> str | None:
    """Logits that cannot be negative."""
    kinds = ("cross_entropy", "bce_with_logits")
    if course.kind not in kinds or not all(call.activation in ("relu", "sigmoid", "tanh") for call in course.calls):
        return None
    activation = course.calls[-1].activation
    low, high = _RANGES[activation]
    return f"The logits come out of a {activation}: they stay between {low:g} and {high:g}, which bounds every probability"


def _no_log_probabilities(course: Course) -> str | None:
    if course.kind != "nll_loss" or not all(call.prediction.maximum > 1e-6 for call in course.calls):
        return None
    return "The predictions are above 0, but this loss takes log-probabilities (of a log-softmax)"


def _no_probabilities(course: Course) -> str | None:
    """Scores where a loss of Keras takes probabilities, which it clips without a word."""
    if course.kind not in ("probability_cross_entropy", "binary_cross_entropy"):
        return None
    if not all(call.prediction.minimum < -_SUM.value or call.prediction.maximum > 1 + _SUM.value for call in course.calls):
        return None
    call = course.calls[-1]
    return (
        f"The predictions lie between {call.prediction.minimum:.4g} and {call.prediction.maximum:.4g}, but this loss takes "
        "probabilities: it needs from_logits=True, or the model an activation at its end"
    )


def _target_outside(course: Course) -> str | None:
    if course.kind not in (*_REGRESSIONS, *_BINARY):
        return None
    activations = {call.activation for call in course.calls}
    activation = "sigmoid" if course.kind in _BINARY else activations.pop() if len(activations) == 1 else ""
    if activation not in _RANGES:
        return None
    low, high = _RANGES[activation]
    slack = _OUTSIDE.value * min(high - low, 1.0)
    least = min(call.target.minimum for call in course.calls)
    most = max(call.target.maximum for call in course.calls)
    if low - slack <= least and most <= high + slack:
        return None
    return (
        f"The targets lie between {least:.4g} and {most:.4g}, but the predictions, out of a {activation}, only in "
        f"[{low:g}, {high:g}]"
    )


_FAULTS: Final = (
    _single_class,
    _broadcast,
    _softmax_before_logits,
    _softmax_before_binary,
    _sigmoid_before_logits,
    _rectified_logits,
    _no_log_probabilities,
    _no_probabilities,
    _target_outside,
)

#: No program is meant to do this.
_CERTAIN: Final = (_single_class, _broadcast)
