"""Arguments of losses in sampled steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from keras import ops

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.keras.comparisons import Comparison, Comparisons
from dllint.diagnose.probes.keras.flow import Flow
from dllint.diagnose.probes.keras.layers import is_concrete
from dllint.diagnose.probes.keras.loss_terms import class_weights, constant, counts, fits, terms
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.tensor_numbers import stats_of_array
from dllint.diagnose.records import LossCall

_MOST_CALLS: Final = 4


@dataclass(frozen=True, slots=True)
class Graded:
    """A call of a loss in a training step. ``loss(prediction)`` is its mean for another prediction, ``describe(prediction)``
    the record of that."""

    record: LossCall
    comparison: Comparison
    target: np.ndarray[Any, Any]

    def loss(self, prediction: Any) -> Any:
        """The mean loss of the batch."""
        value = ops.mean(self.comparison.again(prediction))
        return value / max(len(self.target), 1) if self.record.reduction == "sum" else value

    def describe(self, prediction: Any) -> LossCall:
        """The record of another prediction."""
        value = float(host_array(self.loss(prediction)))
        known = self.record
        return _record(self.comparison, value, host_array(prediction), self.target, known.place, known.activation)


class LossCalls:
    """The calls of the step under way. ``origin`` finds the expression behind a call that trains; ``graded`` is called with
    every call that was recorded, with its prediction.
    """

    def __init__(
        self,
        monitor: Monitor,
        patches: Patches,
        flow: Flow,
        is_recording: Callable[[], bool],
        origin: Callable[[SourcePlace], tuple[SourcePlace | None, str] | None],
        graded: Callable[[Graded, Any], None],
    ) -> None:
        self._monitor = monitor
        self._comparisons = Comparisons(patches, self._compared)
        self._flow = flow
        self._is_recording = is_recording
        self._origin = origin
        self._graded = graded
        self._records: list[LossCall] = []

    def install(self) -> None:
        """Note calls from now on."""
        self._comparisons.install()

    def take(self) -> tuple[LossCall, ...]:
        """The calls since the last time."""
        records, self._records = tuple(self._records), []
        return records

    def _compared(self, comparison: Comparison, result: Any) -> None:
        monitor, prediction = self._monitor, comparison.prediction
        if not comparison.kind or not monitor.active or not monitor.sampling or not self._is_recording():
            return
        if len(self._records) < _MOST_CALLS and is_concrete(result) and ops.is_tensor(prediction):
            with monitor.measured():
                self._note(comparison, result)

    def _note(self, comparison: Comparison, result: Any) -> None:
        target, prediction = host_array(comparison.target), host_array(comparison.prediction)
        if not target.size or not prediction.size or prediction.dtype.kind not in "fV":
            return
        call = next(iter(user_places(3, 1)), None)
        origin = self._origin(call) if call is not None else None
        made = self._flow.maker(comparison.prediction)
        value = float(host_array(ops.mean(result)))
        if comparison.reduction == "sum":
            value /= max(target.shape[0] if target.ndim else 1, 1)
        place = origin[0] if origin is not None else call
        record = _record(comparison, value, prediction, target, place, made.kind if made is not None else "")
        self._records.append(record)
        self._graded(Graded(record, comparison, target), comparison.prediction)


def _record(
    comparison: Comparison,
    value: float,
    prediction: np.ndarray[Any, Any],
    target: np.ndarray[Any, Any],
    place: SourcePlace | None,
    activation: str,
) -> LossCall:
    """``value`` is per sample."""
    given = terms(comparison.kind, prediction.astype(np.float32, copy=False), target)
    return LossCall(
        comparison.kind,
        place,
        value,
        "sum" if comparison.reduction == "sum" else "mean",
        stats_of_array(prediction),
        stats_of_array(target),
        prediction.shape,
        prediction.shape if fits(prediction, target) else target.shape,
        activation,
        given.classes,
        constant=constant(comparison.kind, given, comparison.settings),
        row_sum=float(np.abs(given.rows.sum(axis=1) - 1).max()) if given.rows.shape[1] > 1 else None,
        spread=float(given.rows.std(axis=0).mean()) if given.rows.shape[0] > 1 else None,
        class_weights=class_weights(given, host_array(comparison.weight) if comparison.weight is not None else None),
        **counts(given, one_label=target.size == prediction.shape[0]),
    )
