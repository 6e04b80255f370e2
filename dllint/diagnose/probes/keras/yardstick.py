"""The quality measure for Keras, taken from the arguments of losses, in compiled functions too."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, Protocol, cast

import keras
import numpy as np
from keras import ops

from dllint.diagnose.places import user_frames
from dllint.diagnose.probes.keras.comparisons import Comparison, Comparisons
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.measures import Pairs, measure_of
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.yardstick import Measure

_MOST_NUMBERS: Final = 1 << 16
_FEWEST_BATCHES: Final = 8
#: Of a target that holds probabilities the sum of a row may differ from 1 by this.
_ROUNDING: Final = 1e-3

Array = np.ndarray[Any, Any]


class Means(Protocol):
    """The services of a backend for the yardstick."""

    def is_training(self) -> bool:
        """Whether gradients are being recorded."""

    def hand_over(self, take: Callable[[Any, Any], None], target: Any, prediction: Any) -> None:
        """Have ``take`` called with both: now, or at each run of the function that is being compiled."""


#: Backend → module and class of its means.
_MEANS: Final = {
    "torch": ("dllint.diagnose.probes.torch.yardstick", "TorchMeans"),
    "tensorflow": ("dllint.diagnose.probes.tensorflow.means", "TensorFlowMeans"),
}


class KerasYardstick:
    """Takes prediction and target from the losses that are called while gradients are recorded."""

    def __init__(self, steps: int) -> None:
        self._pairs: deque[tuple[Array, Array]] = deque(maxlen=max(_FEWEST_BATCHES, steps // 4))
        backend = keras.backend.backend()
        if backend in _MEANS:
            module, name = _MEANS[backend]
            self._means = cast("Means", getattr(import_module(module), name)())
            Comparisons(Patches(), self._compared).install()

    def _compared(self, comparison: Comparison, result: object) -> None:
        target, prediction = comparison.target, comparison.prediction
        # Experiments at the end are no training of the program's: none of its frames is under way then.
        is_the_programs = next(user_frames(sys._getframe(1)), None) is not None
        if is_the_programs and ops.is_tensor(prediction) and target is not None and self._means.is_training():
            self._means.hand_over(self._note, target, prediction)

    def _note(self, target: Any, prediction: Any) -> None:
        rows, wanted = host_array(prediction), host_array(target)
        if rows.size and wanted.size and rows.dtype.kind in "fV" and wanted.dtype.kind in "fViub":
            most = max(_MOST_NUMBERS * len(rows) // rows.size, 1) if rows.ndim else None
            self._pairs.append((rows[:most].astype(np.float32), wanted[:most] if wanted.ndim else wanted))

    def measure(self) -> Measure | None:
        """The measure over the last quarter of the steps."""
        return measure_of([pairs for pair in self._pairs for pairs in _numbers(*pair)])


def _numbers(prediction: Array, target: Array) -> Iterator[Pairs]:
    """Predictions with targets, as classes where targets are labels or one-hot; nothing for what cannot be compared."""
    classes = prediction.shape[-1] if prediction.ndim > 1 else 1
    if classes > 1 and target.size * classes == prediction.size and _are_whole(target):
        yield _classes(prediction, target.reshape(-1))
    elif classes > 1 and target.shape == prediction.shape and _is_distribution(target):
        yield _classes(prediction, target.reshape(-1, classes).argmax(axis=1))
    elif prediction.size == target.size:
        yield Pairs(prediction.reshape(-1).tolist(), target.reshape(-1).astype(np.float64).tolist(), False)


def _classes(prediction: Array, labels: Array) -> Pairs:
    rows = prediction.reshape(-1, prediction.shape[-1])
    guesses = np.where(np.isnan(rows).any(axis=1), -1, rows.argmax(axis=1))
    return Pairs(guesses.tolist(), labels.astype(np.int64).tolist(), True)


def _are_whole(target: Array) -> bool:
    return bool(np.isfinite(target).all() and (target == np.round(target)).all())


def _is_distribution(target: Array) -> bool:
    """Whether the rows of a target are one-hot, or probabilities of several classes."""
    return bool((target >= 0).all() and (np.abs(target.astype(np.float64).sum(axis=-1) - 1) < _ROUNDING).all())
