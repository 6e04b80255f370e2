"""DLX112: inputs that are not normalised, and columns that say nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import Final

from dllint.diagnose.records import BatchTensor, FeatureStats, LayerSample, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_LARGE: Final = Threshold(10.0, "own: inputs of 10 times the size of normalised ones (pixels of 0 to 255 have 70 and more)")
_DISPARITY: Final = Threshold(1000.0, "own: the widest column against the narrowest one")
_WIDE: Final = Threshold(10.0, "own: a column is wide from here on")
_SAMPLES: Final = Threshold(3, "own: sampled steps")
_SEEN: Final = Threshold(64, "own: samples that a column must be the same over")
_SPARSE: Final = Threshold(0.3, "own: with so many zeros, columns of 0 are natural (pixels of a border, words)")
#: Layers that take what they are given as it is (PyTorch, Keras).
_PLAIN: Final = (
    "Linear",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "Dense",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "LSTM",
    "GRU",
    "RNN",
    "SimpleRNN",
)


class InputScale(SymptomCheck):
    """The first layer with weights takes its input as it is, and the input is neither standardised nor in a small range. Token
    numbers and models that begin with a normalisation are not meant; only a hint where the model does far better than a
    constant."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "unscaled input"
    is_mild = True

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per first layer."""
        firsts: dict[str, list[LayerSample]] = {}
        for step in run.steps:
            for name, sample in step.layers.items():
                if sample.input is not None:
                    firsts.setdefault(name, []).append(sample)
        for name, samples in firsts.items():
            layer = run.layer(name)
            if layer is None or layer.kind not in _PLAIN or len(samples) < _SAMPLES.value:
                continue
            size = median(math.hypot(s.input.mean, s.input.std) for s in samples if s.input is not None)
            low, high = (
                extreme(getattr(s.input, key) for s in samples) for extreme, key in ((min, "minimum"), (max, "maximum"))
            )
            columns = _columns(run)
            if size > _LARGE.value:
                message = f"The inputs of {name} are not normalised: they lie between {low:.4g} and {high:.4g}"
            elif columns is not None and columns.widest > _WIDE.value and _disparity(columns) > _DISPARITY.value:
                message = f"The columns of the input differ in range by a factor of {_disparity(columns):.0f}"
            else:
                continue
            yield self.found(message, layer.place, layer=name, size=size, minimum=low, maximum=high)


class UselessFeatures(SymptomCheck):
    """A column of the input holds one value only, or numbers that are missing; a model that fills them in takes no harm."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "input features"
    severity = Severity.INFO

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per input."""
        inputs = _inputs(run)
        if not inputs:
            return
        tensor = inputs[-1]
        columns = tensor.features
        if columns is None or columns.seen < _SEEN.value:
            return
        if columns.missing:
            yield self.found(
                f"{columns.missing} of {columns.features} columns of the input have numbers that are not finite",
                None,
                severity=Severity.WARNING if run.faults else None,
                columns=columns.missing,
            )
        if columns.constant and tensor.stats is not None and tensor.stats.zero_share < _SPARSE.value:
            yield self.found(
                f"{columns.constant} of {columns.features} columns of the input are the same in all {columns.seen} samples",
                None,
                columns=columns.constant,
            )


def _inputs(run: RunRecord) -> list[BatchTensor]:
    return [
        tensor
        for step in run.steps
        if step.batch is not None
        for tensor in step.batch.tensors[:1]
        if tensor.role == "input" and tensor.dtype.startswith(("float", "bfloat"))
    ]


def _columns(run: RunRecord) -> FeatureStats | None:
    return next((tensor.features for tensor in reversed(_inputs(run)) if tensor.features is not None), None)


def _disparity(columns: FeatureStats) -> float:
    return columns.widest / columns.narrowest if columns.narrowest > 0 else 0.0
