"""DLX104: gradients that fade on their way to the first layers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from dllint.diagnose.learning import courses
from dllint.diagnose.records import LayerRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold

_STILL: Final = Threshold(1e-6, "survey of tools: updates below a millionth of the weights")
_MOVING: Final = Threshold(1e-4, "survey of tools: while those of the last layer are above 1e-4")
_GRADIENT_RATIO: Final = Threshold(1e-4, "AUTOTRAINER: the first layer's gradient against the last one's, with own margin")
_LAYERS: Final = Threshold(4, "own: layers with weights that a decay over depth must show in")
_SAMPLES: Final = Threshold(5, "own: sampled steps")


class VanishingGradient(SymptomCheck):
    """The gradients decay from layer to layer towards the input, and the first layers hardly move against their own size while
    the last one does. With an adaptive optimizer, which rescales gradients, the decay counts only if nothing is learnt. Tables
    of embeddings, of which a batch moves a few rows, are not compared."""

    code = "DLX104"
    name = "vanishing-or-exploding-gradient"
    symptom = "vanishing gradient"
    explains = (
        "loss not decreasing",
        "accuracy not increasing",
        "cannot fit one batch",
        "update-to-weight ratio",
        "input-independent output",
    )

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model, at its first layer."""
        by_model: dict[str, list[_Layer]] = defaultdict(list)
        for layer in _layers(run):
            by_model[layer.record.model].append(layer)
        stuck = any(course.is_stuck for course in courses(run))
        for layers in by_model.values():
            if len(layers) < _LAYERS.value or not _decays([layer.gradient for layer in layers]):
                continue
            first, last = layers[0], layers[-1]
            still = first.update is not None and first.update < _STILL.value and (last.update or 0) > _MOVING.value
            faded = first.gradient < _GRADIENT_RATIO.value * last.gradient and stuck
            if still or faded:
                yield self._found(layers)

    def _found(self, layers: Sequence[_Layer]) -> Symptom:
        first, last = layers[0], layers[-1]
        ratio = first.gradient / last.gradient if last.gradient else 0.0
        return self.found(
            f"The gradient vanishes on its way through {len(layers)} layers: that of {first.record.name} is {ratio:.1g} of "
            f"that of {last.record.name}",
            first.record.place,
            layer=first.record.name,
            related=((last.record.place, "the last layer is built here"),) if last.record.place is not None else (),
            ratio=ratio,
            gradients=[layer.gradient for layer in layers],
            update_share=first.update,
        )


@dataclass(frozen=True, slots=True)
class _Layer:
    """The typical gradient and update of a layer's largest weight, against the weight's size."""

    record: LayerRecord
    gradient: float
    update: float | None


def _layers(run: RunRecord) -> Iterator[_Layer]:
    """The layers with a weight of at least two axes, in order."""
    weights = {p.layer: p.name for p in run.parameters if p.trainable and p.optimizer is not None and len(p.shape) > 1}
    compared = [layer for layer in run.layers if not layer.kind.startswith("Embedding")]
    for record in sorted(compared, key=lambda layer: layer.depth):
        name = weights.get(record.name)
        samples = [step.parameters[name] for step in run.steps if name is not None and name in step.parameters]
        gradients = [s.gradient / s.weight for s in samples if s.gradient is not None and s.weight]
        updates = [s.update / s.weight for s in samples if s.update is not None and s.weight]
        if len(gradients) >= _SAMPLES.value:
            yield _Layer(record, median(gradients), median(updates) if updates else None)


def _decays(gradients: Sequence[float]) -> bool:
    """Whether most layers have a smaller gradient than the one after them, and the first half a smaller one than the last."""
    smaller = sum(first < second for first, second in pairwise(gradients))
    half = len(gradients) // 2
    return smaller >= 0.75 * (len(gradients) - 1) and 0 < median(gradients[:half]) < 0.1 * median(gradients[-half:])
