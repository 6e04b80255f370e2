"""DLX105: weights that training does not change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.choices import chosen_among
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import ExperimentRecord, LayerRecord, ParameterRecord, ParameterSample, RunRecord
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
#: Places of further layers that are shown.
_SHOWN: Final = 3
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
        """One report per cause and model."""
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
                left[model or ""].append(parameter)
        optimizer = run.tracks[0].optimizer
        for parameters in left.values():
            layers = _layers(run, parameters)
            place = _addition(run, layers) or optimizer.place
            yield self.found(
                f"No optimizer has the weights of {_named(parameters)}: they stay what they were at the start",
                place or next((layer.place for layer in layers if layer.place is not None), None),
                layer=parameters[0].layer,
                step=_sampled_by(run, int(_SAMPLES.value)),
                related=tuple((layer.place, "it lacks the weights of this layer") for layer in layers[:_SHOWN] if layer.place),
                cause="not in optimizer",
                parameters=[parameter.name for parameter in parameters],
            )

    def _given_but_still(self, run: RunRecord) -> Iterator[Symptom]:
        courses: dict[str, list[ParameterSample]] = defaultdict(list)
        for step in run.steps:
            if any(group.get("lr") for group in step.groups) or not step.groups:
                for name, sample in step.parameters.items():
                    courses[name].append(sample)
        still: dict[tuple[str, str, bool], list[ParameterRecord]] = defaultdict(list)
        moving = {p.layer for p in run.parameters if any(sample.update for sample in courses.get(p.name, []))}
        for parameter in run.parameters:
            cause = _cause(courses.get(parameter.name, [])) if parameter.trainable else None
            if cause is not None and not _cancels(parameter, cause, moving):
                record = run.layer(parameter.layer)
                is_left_out = cause == _NO_GRADIENT and record is not None and chosen_among(run, record)
                still[record.model if record is not None else "", cause, is_left_out].append(parameter)
        for (_, cause, is_left_out), parameters in still.items():
            yield self._still(run, parameters, cause, is_left_out=is_left_out)

    def _still(self, run: RunRecord, parameters: list[ParameterRecord], cause: str, *, is_left_out: bool) -> Symptom:
        """One report for all layers of a model that stay as they are for the same reason."""
        layers = [layer for layer in _layers(run, parameters) if layer.place is not None]
        # What stops gradients comes after the last of the layers that get none.
        at = max(layers, key=lambda layer: layer.depth, default=None) if cause == _NO_GRADIENT else next(iter(layers), None)
        cut = _cut(run, layers) if cause == _NO_GRADIENT and not is_left_out else None
        place = cut.place if cut is not None else at.place if at is not None else None
        reason = f"they get no gradient, `{cut.operation}` cuts the graph here" if cut is not None else cause
        needed = int(_SETTLED.value if cause == _NO_GRADIENT else _SAMPLES.value)
        return self.found(
            f"The weights of {_named(parameters)} have not changed in any sampled step: "
            f"{'others of its kind were chosen' if is_left_out else reason}",
            place,
            layer=parameters[0].layer,
            step=_sampled_by(run, needed),
            severity=Severity.INFO if is_left_out else None,
            related=tuple((layer.place, "this layer, too") for layer in layers if layer.place and layer.place != place)[
                :_SHOWN
            ],
            cause=cause,
            parameters=[parameter.name for parameter in parameters],
            **({"operation": cut.operation} if cut is not None else {}),
        )


def _addition(run: RunRecord, layers: list[LayerRecord]) -> SourcePlace | None:
    """The line that gave a model layers that it had not when it was called before; not in a method of the model, which is
    asked for that, but where it is asked."""
    if not layers or not all(layer.late for layer in layers):
        return None
    model = run.layer(layers[0].model)
    own = f"{model.kind}." if model is not None else ""
    places = [place for place in (layers[0].place, *layers[0].outer) if place is not None]
    return next((place for place in places if not own or not place.function.startswith(own)), None)


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


def _cut(run: RunRecord, layers: list[LayerRecord]) -> ExperimentRecord | None:
    """Where the graph of the layers' model is cut, if that was found out."""
    models = {layer.model for layer in layers}
    return next((e for e in run.experiments if e.name == "gradient-cut" and e.place is not None and e.model in models), None)


def _layers(run: RunRecord, parameters: list[ParameterRecord]) -> list[LayerRecord]:
    """The layers that parameters belong to, each once."""
    found = (run.layer(name) for name in dict.fromkeys(parameter.layer for parameter in parameters))
    return [layer for layer in found if layer is not None]


def _sampled_by(run: RunRecord, samples: int) -> int:
    """The step at which so many had been sampled, from which on nothing else could be said."""
    steps = sorted({step.step for step in run.steps})
    return steps[min(samples, len(steps)) - 1] if steps else max(track.steps for track in run.tracks)


def _named(parameters: list[ParameterRecord]) -> str:
    """The first layer with its parameters, and how many more layers there are."""
    layers = list(dict.fromkeys(parameter.layer for parameter in parameters))
    first = ", ".join(p.name.rpartition(".")[2] for p in parameters if p.layer == layers[0])
    more = len(layers) - 1
    return f"{layers[0]} ({first})" + (f" and {more} more {'layer' if more == 1 else 'layers'}" if more else "")
