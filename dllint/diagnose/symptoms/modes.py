"""DLX111: a model that is trained in evaluation mode, or evaluated in training mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import LayerRecord, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_STEPS: Final = Threshold(2, "own: sampled steps in evaluation mode, and none in training mode after them")
_TIMES: Final = Threshold(2, "own: evaluations at the same line")
#: Layers that do something else in training (PyTorch).
_DEPENDING: Final = ("BatchNorm", "Dropout", "AlphaDropout", "FeatureAlphaDropout")


class TrainingInEvaluationMode(SymptomCheck):
    """The model as a whole is in evaluation mode while it is trained, and has layers that are not meant to be: dropout, or a
    batch normalisation whose own weights are trained. Silent if only parts of the model are in evaluation mode, as in
    fine-tuning with frozen statistics."""

    code = "DLX111"
    name = "train-eval-inconsistency"
    symptom = "training in evaluation mode"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per model, at its first layer that depends on the mode."""
        modes: dict[str, list[bool]] = {}
        for step in run.steps:
            for model, training in step.modes.items():
                modes.setdefault(model, []).append(training)
        for model, course in modes.items():
            first = course.index(False) if False in course else len(course)
            layer = next((layer for layer in run.layers if layer.model == model and _is_concerned(layer, run)), None)
            if layer is None or any(course[first:]) or len(course) - first < _STEPS.value:
                continue
            place = run.switched_off.get(model)
            begun = "from the first step on" if not course[0] else "after an evaluation"
            yield self.found(
                f"{model} is trained in evaluation mode, {begun}: {layer.kind} does not do there what it does in training",
                place or layer.place,
                layer=layer.name,
                related=((layer.place, "this layer is meant to be in training mode"),) if place and layer.place else (),
                model=model,
                steps=len(course) - first,
                sampled=len(course),
            )


def _is_concerned(layer: LayerRecord, run: RunRecord) -> bool:
    if not layer.kind.startswith(_DEPENDING):
        return False
    own = [parameter for parameter in run.parameters if parameter.layer == layer.name]
    return not own or any(parameter.trainable and parameter.optimizer is not None for parameter in own)


class EvaluationInTrainingMode(SymptomCheck):
    """A loss is computed without gradients, of other data than the step's, while the model is in training mode: dropout is at
    work, and batch normalisation takes its statistics from those data. Silent on losses of the training batch itself."""

    code = "DLX111"
    name = "train-eval-inconsistency"
    symptom = "evaluation in training mode"
    confidence = Confidence.MEDIUM

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per line."""
        for record in run.evaluations:
            layer = next((layer for layer in run.layers if layer.model == record.model and _is_concerned(layer, run)), None)
            if layer is not None and record.times >= _TIMES.value and any(track.steps for track in run.tracks):
                yield self.found(
                    f"{record.model} is evaluated in training mode: {layer.kind} is at work as in training",
                    record.place,
                    layer=layer.name,
                    model=record.model,
                    times=record.times,
                )
