"""DLX105: weights that training does not change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.choices import chosen_among
from dllint.diagnose.records import ParameterRecord, ParameterSample, RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Severity

_SAMPLES: Final = Threshold(
    3, "survey of tools: bitwise equal over at least 3 optimizer steps while the parameter requires gradients"
)
_FADED: Final = Threshold(
    1e-6, "own: gradients of this share of the weights are lost in rounding: they vanish, which is another symptom"
)
_SETTLED: Final = Threshold(
    6, "own: sampled steps after which a parameter without a gradient so far is not expected to get one"
)
_NO_GRADIENT: Final = "they get no gradient, the loss does not depend on them"
_ZERO: Final = "their gradient is zero"


class UnchangedWeight(SymptomCheck):
    """A trainable weight stays bitwise the same over all sampled steps: no optimizer steps or none has it, it gets no gradient,
    or its gradient is zero. Silent on weights that are updated by hand, on frozen ones, while the learning rate is zero (a
    warm-up), and on biases without a gradient in layers that learn; a hint only where a router may still choose the layer
    (mixture of experts)."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "unchanged weight"

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report per cause and layer or optimizer."""
        yield from self._never_stepped(run)
        if not any(track.steps >= _SAMPLES.value for track in run.tracks):
            return
        yield from self._not_given(run)
        yield from self._given_but_still(run)

    def _never_stepped(self, run: RunRecord) -> Iterator[Symptom]:
        for unused in run.unused:
            optimizer = run.tracks[0].optimizer if run.tracks else None
            yield self.found(
                f"No optimizer has stepped in {unused.passes} backward passes: all weights are what they were at the start",
                unused.place,
                severity=Severity.ERROR,
                related=((optimizer.place, "the optimizer is built here"),) if optimizer and optimizer.place else (),
                cause="no step",
                passes=unused.passes,
            )

    def _not_given(self, run: RunRecord) -> Iterator[Symptom]:
        """Models that are trained in part: the rest requires gradients, but no optimizer has it."""
        models = {layer.name: layer.model for layer in run.layers}
        trained = {models.get(p.layer) for p in run.parameters if p.optimizer is not None}
        left: dict[str, list[ParameterRecord]] = defaultdict(list)
        for parameter in run.parameters:
            model = models.get(parameter.layer)
            if parameter.trainable and parameter.optimizer is None and (model in trained or len(set(models.values())) == 1):
                left[parameter.layer].append(parameter)
        for layer, parameters in left.items():
            record = run.layer(layer)
            optimizer = run.tracks[0].optimizer
            yield self.found(
                f"No optimizer has the weights of {layer} ({_listed(parameters)}): they stay what they were at the start",
                record.place if record is not None else optimizer.place,
                layer=layer,
                step=max(track.steps for track in run.tracks),
                related=((optimizer.place, "the optimizer is built here"),) if optimizer.place is not None else (),
                cause="not in optimizer",
                parameters=[parameter.name for parameter in parameters],
            )

    def _given_but_still(self, run: RunRecord) -> Iterator[Symptom]:
        courses: dict[str, list[ParameterSample]] = defaultdict(list)
        for step in run.steps:
            if any(group.get("lr") for group in step.groups) or not step.groups:
                for name, sample in step.parameters.items():
                    courses[name].append(sample)
        still: dict[tuple[str, str], list[ParameterRecord]] = defaultdict(list)
        moving = {p.layer for p in run.parameters if any(sample.update for sample in courses.get(p.name, []))}
        for parameter in run.parameters:
            cause = _cause(courses.get(parameter.name, [])) if parameter.trainable else None
            if cause is not None and not _cancels(parameter, cause, moving):
                still[parameter.layer, cause].append(parameter)
        for (layer, cause), parameters in still.items():
            record = run.layer(layer)
            is_left_out = cause == _NO_GRADIENT and record is not None and chosen_among(run, record)
            yield self.found(
                f"The weights of {layer} ({_listed(parameters)}) have not changed in any sampled step: "
                f"{'others of its kind were chosen' if is_left_out else cause}",
                record.place if record is not None else None,
                layer=layer,
                step=max(track.steps for track in run.tracks),
                severity=Severity.INFO if is_left_out else None,
                cause=cause,
                parameters=[parameter.name for parameter in parameters],
            )


def _cause(samples: list[ParameterSample]) -> str | None:
    measured = [sample for sample in samples if sample.update is not None]
    if len(measured) < _SAMPLES.value or any(sample.update for sample in measured):
        return None
    if all(sample.gradient is None for sample in samples):
        return _NO_GRADIENT if len(measured) >= _SETTLED.value else None
    if all(not sample.gradient for sample in samples):
        return _ZERO
    if all((sample.gradient or 0.0) < _FADED.value * sample.weight for sample in samples):
        return None
    return "they have a gradient, but the steps leave them as they are"


def _cancels(parameter: ParameterRecord, cause: str, moving: set[str]) -> bool:
    """Whether it may be the loss that does not depend on a bias whose layer learns: differences of outputs, softmaxes and
    normalisations cancel what is added to all."""
    return cause == _ZERO and len(parameter.shape) < 2 and parameter.layer in moving


def _listed(parameters: list[ParameterRecord]) -> str:
    return ", ".join(parameter.name.rpartition(".")[2] for parameter in parameters)
