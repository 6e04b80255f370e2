"""The baselines. All take rows ``(samples, features)``; errors are measured on held-back rows."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_ITERATIONS: Final = 200
_PENALTY: Final = 1e-3


def constant_accuracy(labels: Array, held: Array) -> float:
    """The share of held-back labels that are the most frequent one of the others."""
    values, counts = np.unique(labels, return_counts=True)
    return float(np.mean(held == values[np.argmax(counts)]))


def constant_errors(targets: Array, held: Array) -> Array:
    """The squared error of each held-back row against the mean of the others, by row."""
    return np.asarray(np.mean((held - targets.mean(axis=0)) ** 2, axis=1))


def linear_errors(rows: Array, targets: Array, held: Array, wanted: Array) -> Array:
    """Ridge regression: the squared error of each held-back row."""
    rows, held = _standardised(rows, held)
    gram = rows.T @ rows + _PENALTY * len(rows) * np.eye(rows.shape[1])
    weights = np.linalg.solve(gram, rows.T @ targets)
    return np.asarray(np.mean((held @ weights - wanted) ** 2, axis=1))


def logistic_accuracy(rows: Array, labels: Array, held: Array, wanted: Array) -> float:
    """Multinomial logistic regression by accelerated gradient descent: the share of held-back rows that it gets right."""
    rows, held = _standardised(rows, held)
    classes, numbers = np.unique(labels, return_inverse=True)
    truth = np.eye(len(classes))[numbers]
    # The curvature of the loss is at most half the largest eigenvalue of the rows' second moments.
    step = 1.0 / (0.5 * float(np.linalg.norm(rows, 2)) ** 2 / len(rows) + _PENALTY)
    weights = ahead = np.zeros((rows.shape[1], len(classes)))
    for iteration in range(_ITERATIONS):
        gradient = rows.T @ (_softmax(rows @ ahead) - truth) / len(rows) + _PENALTY * ahead
        before, weights = weights, ahead - step * gradient
        ahead = weights + iteration / (iteration + 3) * (weights - before)
    return float(np.mean(classes[np.argmax(held @ weights, axis=1)] == wanted))


def pca_errors(rows: Array, held: Array, components: int) -> Array:
    """Principal component analysis: the squared error with which each held-back row is restored from its components."""
    mean = rows.mean(axis=0)
    _, _, axes = np.linalg.svd(rows - mean, full_matrices=False)
    kept = axes[:components]
    restored = (held - mean) @ kept.T @ kept + mean
    return np.asarray(np.mean((held - restored) ** 2, axis=1))


def _standardised(rows: Array, held: Array) -> tuple[Array, Array]:
    """Columns of mean 0 and deviation 1, and one of ones."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    first, second = ((part - mean) / deviation for part in (rows, held))
    return np.hstack([first, np.ones((len(first), 1))]), np.hstack([second, np.ones((len(second), 1))])


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
