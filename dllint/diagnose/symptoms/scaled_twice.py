"""DLX112: inputs that are scaled once more although they are scaled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import LayerRecord, RunRecord, TensorStats
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_TINY: Final = Threshold(0.005, "own: pixels between 0 and 1 that are divided by 255 lie below 0.004")
_NARROW: Final = Threshold(0.02, "own: `Rescaling` of what is scaled already gives a range of 0.004 or 0.008")
_SCALED: Final = Threshold(1.0, "own: what is no larger is scaled already")
_SAMPLES: Final = Threshold(3, "own: sampled steps")
#: Layers of images that take what they are given as it is (PyTorch, Keras), and the one that scales it.
_PLAIN: Final = ("Conv2d", "Conv3d", "Conv2D", "Conv3D", "Linear", "Dense")
_SCALING: Final = "Rescaling"
#: Axes of a batch of pictures at least.
_AXES: Final = 3


class ScaledTwice(SymptomCheck):
    """A `Rescaling` is given pictures that are scaled already, or the first layer with weights gets pictures all of whose
    numbers are next to nothing; only a hint where the model does far better than a constant."""

    code = "DLX112"
    name = "data-statistics"
    symptom = "inputs scaled twice"
    is_mild = True
    explains = (
        "loss not decreasing",
        "accuracy not increasing",
        "no better than baseline",
        "cannot fit one batch",
        "vanishing gradient",
        "update-to-weight ratio",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the run, at the layer that scales if there is one."""
        for layer in sorted(run.layers, key=lambda layer: layer.kind != _SCALING):
            given = _seen(run, layer)
            if len(given) < _SAMPLES.value or not _are_tiny(run, layer, given):
                continue
            low, high = min(stats.minimum for stats in given), max(stats.maximum for stats in given)
            what = "gives the model inputs" if layer.kind == _SCALING else "is given inputs"
            yield self.found(
                f"{layer.name} {what} between {low:.3g} and {high:.3g}: they are scaled twice",
                layer.place,
                layer=layer.name,
                minimum=low,
                maximum=high,
            )
            return


def _seen(run: RunRecord, layer: LayerRecord) -> list[TensorStats]:
    """What a layer makes of the inputs if it scales them, else what it was given as the first one with weights."""
    samples = [step.layers[layer.name] for step in run.steps if layer.name in step.layers]
    if layer.kind == _SCALING:
        return [sample.output for sample in samples]
    return [sample.input for sample in samples if sample.input is not None] if layer.kind in _PLAIN else []


def _are_tiny(run: RunRecord, layer: LayerRecord, given: list[TensorStats]) -> bool:
    low, high = min(stats.minimum for stats in given), max(stats.maximum for stats in given)
    if layer.kind == _SCALING:
        return 0 < high - low < _NARROW.value and _is_scaled(run)
    return 0 <= low < high < _TINY.value and _is_scaled(run)


def _is_scaled(run: RunRecord) -> bool:
    """Whether the inputs are pictures whose numbers are not those of pixels."""
    inputs = [
        tensor
        for step in run.steps
        for tensor in (step.batch.tensors if step.batch is not None else ())
        if tensor.role == "input" and len(tensor.shape) >= _AXES
    ]
    return bool(inputs) and all(
        one.stats is not None and one.stats.minimum >= 0 and one.stats.maximum <= _SCALED.value for one in inputs
    )
