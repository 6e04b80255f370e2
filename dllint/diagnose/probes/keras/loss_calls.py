"""Loss functions: what they are given in sampled steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import keras
import numpy as np
from keras import ops

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.keras.flow import Flow
from dllint.diagnose.probes.keras.layers import is_concrete
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.tensor_numbers import stats_of_array
from dllint.diagnose.records import LossCall

#: Loss functions of Keras and the framework-neutral names of what they compute, of predictions and of logits.
_KINDS: Final = {
    "sparse_categorical_crossentropy": ("probability_cross_entropy", "cross_entropy"),
    "categorical_crossentropy": ("probability_cross_entropy", "cross_entropy"),
    "binary_crossentropy": ("binary_cross_entropy", "bce_with_logits"),
    "mean_squared_error": ("mse_loss", "mse_loss"),
    "mean_absolute_error": ("l1_loss", "l1_loss"),
    "huber": ("huber_loss", "huber_loss"),
}
_CATEGORICAL: Final = ("probability_cross_entropy", "cross_entropy")
_BINARY: Final = ("binary_cross_entropy", "bce_with_logits")
_MOST_CALLS: Final = 4
#: Of larger tensors so many rows are looked at.
_MOST_ROWS: Final = 1 << 14
_MOST_CLASSES: Final = 1000

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class _Terms:
    """Predictions and targets with one row per sample; the labels and guesses of a classification, else 0 ``classes``."""

    rows: Array
    target: Array
    labels: Array | None
    guesses: Array | None
    classes: int


class LossCalls:
    """The calls of the step under way. ``origin`` finds the expression behind a call that trains."""

    def __init__(
        self,
        monitor: Monitor,
        patches: Patches,
        flow: Flow,
        is_recording: Callable[[], bool],
        origin: Callable[[SourcePlace], tuple[SourcePlace | None, str] | None],
    ) -> None:
        self._monitor = monitor
        self._patches = patches
        self._flow = flow
        self._is_recording = is_recording
        self._origin = origin
        self._records: list[LossCall] = []

    def install(self) -> None:
        """Note calls from now on."""
        self._patches.wrap(keras.losses.Loss, "__call__", self._call)

    def take(self) -> tuple[LossCall, ...]:
        """The calls since the last time."""
        records, self._records = tuple(self._records), []
        return records

    def _call(self, original: Any, loss: Any, y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(loss, y_true, y_pred, *args, **kwargs)
        monitor = self._monitor
        kinds = _KINDS.get(getattr(getattr(loss, "fn", None), "__name__", ""))
        if kinds is None or not monitor.active or not monitor.sampling or not self._is_recording():
            return result
        if len(self._records) < _MOST_CALLS and is_concrete(result) and ops.is_tensor(y_pred) and not len(result.shape):
            with monitor.measured():
                settings = getattr(loss, "_fn_kwargs", {})
                self._note(kinds[bool(settings.get("from_logits"))], str(loss.reduction), settings, (y_true, y_pred, result))
        return result

    def _note(self, kind: str, reduction: str, settings: Mapping[str, Any], tensors: tuple[Any, Any, Any]) -> None:
        y_true, y_pred, result = tensors
        target, prediction = host_array(y_true), host_array(y_pred)
        if not target.size or not prediction.size or prediction.dtype.kind not in "fV":
            return
        call = next(iter(user_places(3, 1)), None)
        origin = self._origin(call) if call is not None else None
        made = self._flow.maker(y_pred)
        value = float(host_array(result))
        terms = _terms(kind, prediction.astype(np.float32, copy=False), target)
        record = LossCall(
            kind,
            origin[0] if origin is not None else call,
            value / max(target.shape[0] if target.ndim else 1, 1) if reduction == "sum" else value,
            "sum" if reduction == "sum" else "mean",
            stats_of_array(prediction),
            stats_of_array(target),
            prediction.shape,
            prediction.shape if _fits(prediction, target) else target.shape,
            made.kind if made is not None else "",
            terms.classes,
            constant=_constant(kind, terms, settings),
            row_sum=float(np.abs(terms.rows.sum(axis=1) - 1).max()) if terms.rows.shape[1] > 1 else None,
            spread=float(terms.rows.std(axis=0).mean()) if terms.rows.shape[0] > 1 else None,
            **_counts(terms, one_label=target.size == prediction.shape[0]),
        )
        self._records.append(record)


def _fits(prediction: Array, target: Array) -> bool:
    """Whether Keras brings both to one shape: it takes away or adds a last axis of one element."""
    short, long = sorted((prediction.shape, target.shape), key=len)
    return len(long) == len(short) + 1 and long[-1] == 1 and long[:-1] == short


def _terms(kind: str, prediction: Array, target: Array) -> _Terms:
    if kind in _CATEGORICAL:
        classes = prediction.shape[-1]
        rows: Array = prediction.reshape(-1, classes)[:_MOST_ROWS]
        is_dense = target.shape == prediction.shape and classes > 1
        wanted = target.reshape(-1, classes) if is_dense else target.reshape(-1)
        labels = wanted.argmax(axis=1) if is_dense else wanted.astype(np.int64)
        return _Terms(rows, wanted[:_MOST_ROWS], labels[:_MOST_ROWS], rows.argmax(axis=1), classes)
    rows = _rows(prediction)
    wanted = _rows(target)
    if kind in _BINARY and rows.shape == wanted.shape and rows.shape[1] == 1:
        guesses = rows > (0.5 if kind == "binary_cross_entropy" else 0.0)
        return _Terms(rows, wanted, (wanted > 0.5).reshape(-1).astype(np.int64), guesses.reshape(-1).astype(np.int64), 2)
    return _Terms(rows, wanted, None, None, 0)


def _rows(array: Array) -> Array:
    """One row per sample."""
    several = np.atleast_1d(array.astype(np.float32, copy=False))
    rows: Array = several.reshape(len(several), -1)[:_MOST_ROWS]
    return rows


def _counts(terms: _Terms, *, one_label: bool) -> dict[str, Any]:
    """What can be counted of labels."""
    labels, guesses = terms.labels, terms.guesses
    if labels is None or guesses is None or labels.shape != guesses.shape or not 0 < terms.classes <= _MOST_CLASSES:
        return {}
    return {
        "correct": float((labels == guesses).mean()),
        "labels": _histogram(labels),
        "predicted": _histogram(guesses),
        "hits": _histogram(labels[labels == guesses]),
        "changes": int((labels[1:] != labels[:-1]).sum()) if one_label else None,
    }


def _histogram(labels: Array) -> dict[str, int]:
    values, counts = np.unique(labels, return_counts=True)
    return {str(int(value)): int(count) for value, count in zip(values, counts, strict=True)}


def _constant(kind: str, terms: _Terms, settings: Mapping[str, Any]) -> float | None:
    """The loss per element of the best prediction that is the same for all samples; ``None`` where it is not known."""
    smoothing = float(settings.get("label_smoothing") or 0.0)
    if kind in _CATEGORICAL:
        return _prior_entropy(terms, smoothing)
    if kind in _BINARY:
        return float(_binary_entropy(terms.target.mean(axis=0) * (1 - smoothing) + smoothing / 2).mean())
    if kind == "mse_loss":
        return float(terms.target.var(axis=0).mean())
    if kind == "l1_loss":
        return float(np.abs(terms.target - np.median(terms.target, axis=0)).mean())
    return None


def _prior_entropy(terms: _Terms, smoothing: float) -> float | None:
    if terms.labels is None or terms.classes > _MOST_CLASSES:
        return None
    is_dense = terms.target.ndim == 2
    known = np.clip(terms.labels, 0, terms.classes - 1)
    prior = terms.target.mean(axis=0) if is_dense else np.bincount(known, minlength=terms.classes) / len(known)
    prior = prior * (1 - smoothing) + smoothing / terms.classes
    return -sum(float(share) * math.log(share) for share in prior if share > 0)


def _binary_entropy(share: Array) -> Array:
    share = np.clip(share, 1e-12, 1 - 1e-12)
    entropy: Array = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    return entropy
