"""What a loss is given, as numbers: one row per sample, labels and guesses, and what the best constant would have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

_CATEGORICAL: Final = ("probability_cross_entropy", "cross_entropy")
_BINARY: Final = ("binary_cross_entropy", "bce_with_logits")
#: Of larger tensors so many rows are looked at.
_MOST_ROWS: Final = 1 << 14
_MOST_CLASSES: Final = 1000

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Terms:
    """Predictions and targets with one row per sample; the labels and guesses of a classification, else 0 ``classes``."""

    rows: Array
    target: Array
    labels: Array | None
    guesses: Array | None
    classes: int


def fits(prediction: Array, target: Array) -> bool:
    """Whether Keras brings both to one shape: it takes away or adds a last axis of one element."""
    short, long = sorted((prediction.shape, target.shape), key=len)
    return len(long) == len(short) + 1 and long[-1] == 1 and long[:-1] == short


def terms(kind: str, prediction: Array, target: Array) -> Terms:
    """The arguments of a loss of some kind, in the form that its value and its counts are computed from."""
    if kind in _CATEGORICAL:
        classes = prediction.shape[-1]
        rows: Array = prediction.reshape(-1, classes)[:_MOST_ROWS]
        is_dense = target.shape == prediction.shape and classes > 1
        wanted = target.reshape(-1, classes) if is_dense else target.reshape(-1)
        labels = wanted.argmax(axis=1) if is_dense else wanted.astype(np.int64)
        return Terms(rows, wanted[:_MOST_ROWS], labels[:_MOST_ROWS], rows.argmax(axis=1), classes)
    rows = _rows(prediction)
    wanted = _rows(target)
    if kind in _BINARY and rows.shape == wanted.shape and rows.shape[1] == 1:
        guesses = rows > (0.5 if kind == "binary_cross_entropy" else 0.0)
        return Terms(rows, wanted, (wanted > 0.5).reshape(-1).astype(np.int64), guesses.reshape(-1).astype(np.int64), 2)
    return Terms(rows, wanted, None, None, 0)


def _rows(array: Array) -> Array:
    """One row per sample."""
    several = np.atleast_1d(array.astype(np.float32, copy=False))
    rows: Array = several.reshape(len(several), -1)[:_MOST_ROWS]
    return rows


def counts(terms: Terms, *, one_label: bool) -> dict[str, Any]:
    """Counts of labels, where labels can be counted."""
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


def class_weights(terms: Terms, weight: Array | None) -> dict[str, float]:
    """What samples of each class count, if all of a class count alike."""
    labels = terms.labels
    if weight is None or labels is None or weight.size != labels.size or not 0 < terms.classes <= _MOST_CLASSES:
        return {}
    given = {int(label): weight.reshape(-1)[labels == label] for label in np.unique(labels)}
    is_uniform = all(float(values.min()) == float(values.max()) for values in given.values())
    return {str(label): float(values[0]) for label, values in given.items()} if is_uniform else {}


def _histogram(labels: Array) -> dict[str, int]:
    values, counts = np.unique(labels, return_counts=True)
    return {str(int(value)): int(count) for value, count in zip(values, counts, strict=True)}


def constant(kind: str, terms: Terms, settings: Mapping[str, Any]) -> float | None:
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


def _prior_entropy(terms: Terms, smoothing: float) -> float | None:
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
