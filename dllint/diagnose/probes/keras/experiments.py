"""Experiments with a Keras model at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from time import thread_time
from typing import Any, Final

import keras
import numpy as np
from keras import ops

from dllint.diagnose.probes.keras.recent import Example
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.keras.trial import TrialModel

#: Gives the numbers of an experiment; nothing if it cannot be made.
Experiment = Callable[[TrialModel, float], dict[str, float]]

_FIT_STEPS: Final = 150
_FIT_RATES: Final = (1e-3, 1e-2)
#: With this share of the constant's loss a batch is learnt by heart, and more steps say no more.
_FITTED: Final = 0.5
_MODE_BATCHES: Final = 8
_RECALIBRATING: Final = 30
_BATCH: Final = 4
_INITIALIZER: Final = "_initializer"


def one_batch_fit(trial: TrialModel, deadline: float) -> dict[str, float]:
    """Train on the last batch alone with Adam, at two learning rates; the better one counts."""
    constant = trial.examples[-1].graded.record.constant
    if not constant:
        return {}
    runs: list[tuple[float, float, int]] = []
    for rate in _FIT_RATES:
        runs.append(_fit(trial, trial.examples[-1], rate, deadline))
        if runs[-1][0] < _FITTED * constant:
            break
    final, initial, steps = min(runs)
    return {"initial": initial, "final": final, "constant": constant, "steps": float(steps)}


def _fit(trial: TrialModel, example: Example, rate: float, deadline: float) -> tuple[float, float, int]:
    trial.restore()
    for layer in trial.layers():
        # What training has done to the weights is not the model's fault.
        _begin_anew(layer)
        if "Dropout" in type(layer).__name__ and hasattr(layer, "rate"):
            trial.set(layer, "rate", 0.0)
    weights = trial.model.trainable_variables
    optimizer = keras.optimizers.Adam(rate, name="one_batch_fit")
    course: list[float] = []
    for _ in range(_FIT_STEPS):
        value, gradients = trial.gradients([example])
        course.append(value)
        if not math.isfinite(value) or value < _FITTED * (example.graded.record.constant or 0.0) or thread_time() > deadline:
            break
        optimizer.apply([ops.zeros_like(w) if g is None else g for g, w in zip(gradients, weights, strict=True)], weights)
    finite = [value for value in course if math.isfinite(value)]
    return min(finite, default=math.inf), course[0], len(course)


def _begin_anew(layer: Any) -> None:
    """Draw the weights of a layer again, each by its own initializer."""
    for name in [name for name in dir(layer) if name.endswith(_INITIALIZER) and not name.startswith("_")]:
        variable = getattr(layer, name.removesuffix(_INITIALIZER), None)
        initializer = getattr(layer, name)
        if isinstance(variable, keras.Variable) and callable(initializer):
            variable.assign(initializer(variable.shape, dtype=variable.dtype))


def modes(trial: TrialModel, deadline: float) -> dict[str, float]:
    """The loss of the same batches in training mode, in evaluation mode, and in the latter with re-estimated statistics."""
    examples = trial.examples[-_MODE_BATCHES:]
    trial.restore()
    values = {"eval": _mean_loss(trial, examples, training=False)}
    values["train"] = _mean_loss(trial, examples, training=True)
    trial.restore()
    if _estimate_statistics(trial, trial.examples[-_RECALIBRATING:]):
        values["recalibrated"] = _mean_loss(trial, examples, training=False)
    constants = [example.graded.record.constant for example in examples if example.graded.record.constant is not None]
    return {**values, **({"constant": fmean(constants)} if constants else {})}


def _mean_loss(trial: TrialModel, examples: Sequence[Example], *, training: bool) -> float:
    return fmean(float(host_array(trial.loss(example, training=training))) for example in examples)


def _estimate_statistics(trial: TrialModel, examples: Sequence[Example]) -> bool:
    """Have batch normalisation average its statistics anew over some batches; whether there is any."""
    norms = [layer for layer in trial.layers() if isinstance(layer, keras.layers.BatchNormalization) and layer.trainable]
    for seen, example in enumerate(examples if norms else ()):
        for norm in norms:
            trial.set(norm, "momentum", seen / (seen + 1))
        trial.output(example, training=True)
    return bool(norms)


def cross_talk(trial: TrialModel, deadline: float) -> dict[str, float]:
    """How much the outputs for every other sample change if their own inputs change, and if only those of the rest change.

    Half of the batch is asked: a single sample may be one whose output is saturated and shows no change.
    """
    example = trial.examples[-1]
    if not _has_independent_samples(example):
        return {}
    trial.restore()
    rows = example.rows
    others, own = rows.copy(), rows.copy()
    own[::2] = np.roll(rows[::2], 1, axis=0)
    # Equal rows, not the same ones in another order, which have the same mean.
    others[1::2] = rows[1]
    outputs = [_asked_outputs(trial, example, given) for given in (rows, rows, own, others)]
    first, again, by_own, by_others = outputs
    # A model that draws random numbers in evaluation mode, too, cannot be asked like this.
    if first is None or again is None or by_own is None or by_others is None or not np.array_equal(first, again):
        return {}
    size = float(np.abs(by_own - first).sum())
    return {"own": size, "others": float(np.abs(by_others - first).sum())} if math.isfinite(size) else {}


def _asked_outputs(trial: TrialModel, example: Example, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The outputs for every other sample in evaluation mode."""
    output = host_array(trial.output(example, training=False, inputs=ops.convert_to_tensor(rows)))
    return output[::2].astype(np.float64) if output.shape[:1] == rows.shape[:1] else None


def _has_independent_samples(example: Example) -> bool:
    """Whether samples are expected to be independent: one input with one target per sample, and no other axis of that size."""
    if not ops.is_tensor(example.inputs) and not isinstance(example.inputs, np.ndarray):
        return False
    shape, target = tuple(example.inputs.shape), example.graded.target
    if len(shape) < 2 or shape[0] < _BATCH or shape[0] in shape[1:] or target.shape[:1] != shape[:1]:
        return False
    is_pairing = target.dtype.kind in "iu" and np.array_equal(target.reshape(-1), np.arange(shape[0]))
    return target.size in (shape[0], shape[0] * target.shape[-1]) and not is_pairing


def gradient_noise(trial: TrialModel, deadline: float) -> dict[str, float]:
    """The gradients of two halves of the batches: the cosine between them, and their difference against their mean."""
    if len(trial.examples) < _BATCH:
        return {}
    first, second = (_gradient(trial, trial.examples[at::2]) for at in range(2))
    mean = float(np.linalg.norm(first + second)) / 2
    sizes = float(np.linalg.norm(first)) * float(np.linalg.norm(second))
    return {
        "cosine": float(first @ second) / max(sizes, 1e-30),
        "ratio": float(np.linalg.norm(first - second)) / max(mean, 1e-30),
    }


def _gradient(trial: TrialModel, examples: Sequence[Example]) -> np.ndarray[Any, Any]:
    trial.restore()
    gradients = [host_array(g).reshape(-1) for g in trial.gradients(examples)[1] if g is not None]
    return np.concatenate(gradients).astype(np.float64)


def experiments(*, is_stuck: bool, thorough: bool) -> Iterator[tuple[str, Experiment]]:
    """What is tried: more of a model that does no better than a constant, or if the run is to be ``thorough``."""
    yield "cross-talk", cross_talk
    yield "modes", modes
    if is_stuck or thorough:
        yield "one-batch-fit", one_batch_fit
    if is_stuck:
        yield "gradient-noise", gradient_noise
