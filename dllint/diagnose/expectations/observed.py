"""Measurements of the first training steps, as tests use them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from dllint.diagnose.learning import sole_course
from dllint.diagnose.records import BatchTensor, LayerRecord, LayerSample, LossCall, RunRecord, TensorStats
from dllint.diagnose.symptoms.registry import examine
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.finding import Severity

#: Rows that sum to 1 up to so much are probabilities.
_ROW_SUM: Final = 1e-3
#: Steps that must have been tried on one batch.
_TRIED: Final = 100


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers of a tensor in all steps that were looked at: extremes over all of them, mean and standard deviation of the
    first one. ``shape`` is that of one sample; axes whose size changes are ``None``. ``constant_columns`` and
    ``missing_columns`` count the columns of two-dimensional inputs that hold one value only, or numbers that are not finite."""

    shape: tuple[int | None, ...]
    dtype: str
    minimum: float
    maximum: float
    mean: float
    std: float
    zeros: float
    is_finite: bool
    constant_columns: int = 0
    missing_columns: int = 0
    #: Of layers: how many numbers there are per sample, and how many samples.
    features: int = 0
    samples: int = 0

    @property
    def size(self) -> float:
        """The root mean square."""
        return math.hypot(self.mean, self.std)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: its class, how many numbers its own weights have, and, in the first step, what it put out and was given
    (``None`` if it was not called, or not with numbers that can be measured). ``saturated`` is the share of units of a sigmoid
    or tanh inside the model that were at their limits in the last of the steps."""

    kind: str
    parameters: int
    output: Values | None
    input: Values | None
    saturated: float = 0.0


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The first steps of a training.

    ``inputs`` and ``targets`` are those of the batches, by name (a position or key). ``output`` is what the loss function was
    given by the model, ``compared`` the targets that it was given. ``loss`` is the first loss, per sample. ``layers`` are by
    name, as ``dllint diagnose`` names them, without those that only hold others. ``unchanged`` are trainable parameters that
    no step has changed. ``one_batch`` is the loss after a copy of the model was trained on one batch alone, as a share of what
    it began with (or of guessing, if that is less); ``None`` if that could not be tried. ``findings`` are the symptoms that
    ``dllint diagnose`` warns of, with what it says of them; ``hints`` are names of milder ones.
    """

    steps: int
    inputs: Mapping[str, Values]
    targets: Mapping[str, Values]
    output: Values | None
    compared: Values | None
    loss: float
    loss_function: str
    last_activation: str
    classes: int
    outputs_sum_to_one: bool
    layers: Mapping[str, Layer]
    parameters: int
    trainable_parameters: int
    unchanged: tuple[str, ...]
    one_batch: float | None
    findings: Mapping[str, str]
    hints: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<the first {self.steps} steps of a training>"

    @property
    def guessing(self) -> float:
        """The loss of guessing among the classes, -ln(1/n)."""
        return math.log(self.classes)

    @property
    def layer_kinds(self) -> Mapping[str, int]:
        """How many layers of each class there are."""
        return dict(Counter(layer.kind for layer in self.layers.values()))


def observed(run: RunRecord, most: int) -> FirstSteps:
    """What a record tells about its first ``most`` steps."""
    first = [step for step in run.steps if step.step <= most]
    course = sole_course(run)
    calls = [call for step in first for call in step.calls] if course is not None else []
    call = calls[0] if calls else None
    symptoms = examine(run)
    return FirstSteps(
        max((track.steps for track in run.tracks), default=0),
        _batches(run, most, "input"),
        _batches(run, most, "target"),
        _values_of_calls([c.prediction for c in calls], [c.prediction_shape for c in calls]) if calls else None,
        _values_of_calls([c.target for c in calls], [c.target_shape for c in calls]) if calls else None,
        _first_loss(run, call if first and first[0].step == 1 else None),
        call.kind if call is not None else "",
        next((c.activation for c in reversed(calls) if c.activation), ""),
        call.classes if call is not None else 0,
        bool(calls) and all(_sums_to_one(c) for c in calls),
        _layers(run, most),
        sum(math.prod(parameter.shape) for parameter in run.parameters),
        sum(math.prod(parameter.shape) for parameter in run.parameters if parameter.trainable),
        _unchanged(run),
        _one_batch(run),
        {symptom.symptom: f"{symptom.code} {symptom.message}" for symptom in reversed(symptoms) if _is_warning(symptom)},
        tuple(dict.fromkeys(symptom.symptom for symptom in symptoms if not _is_warning(symptom))),
    )


def _is_warning(symptom: Symptom) -> bool:
    return symptom.severity.rank <= Severity.WARNING.rank


def _first_loss(run: RunRecord, call: LossCall | None) -> float:
    if call is not None:
        return call.value
    return next((loss.values[0] for loss in run.losses if loss.values), math.nan)


def _sums_to_one(call: LossCall) -> bool:
    return call.row_sum is not None and call.row_sum < _ROW_SUM and call.prediction.minimum >= 0


def _batches(run: RunRecord, most: int, role: str) -> Mapping[str, Values]:
    found: dict[str, list[BatchTensor]] = {}
    for step in run.steps:
        for tensor in step.batch.tensors if step.batch is not None and step.step <= most else ():
            if tensor.role == role and tensor.stats is not None:
                found.setdefault(tensor.name, []).append(tensor)
    return {name: _values_of_batches(tensors) for name, tensors in found.items()}


def _values_of_batches(tensors: list[BatchTensor]) -> Values:
    columns = tensors[-1].features
    return _values(
        [tensor.stats for tensor in tensors if tensor.stats is not None],
        [tensor.shape for tensor in tensors],
        tensors[0].dtype,
        (columns.constant, columns.missing) if columns is not None else (0, 0),
    )


def _values_of_calls(stats: list[TensorStats], shapes: list[tuple[int, ...]]) -> Values:
    return _values(stats, shapes, "", (0, 0))


def _values_of_layer(stats: TensorStats, batch: int) -> Values:
    return replace(_values([stats], [()], "", (0, 0)), features=stats.count // batch, samples=batch)


def _values(stats: list[TensorStats], shapes: list[tuple[int, ...]], dtype: str, columns: tuple[int, int]) -> Values:
    finite = [each for each in stats if each.finite_share > 0] or stats
    return Values(
        _common(shapes),
        dtype,
        min(each.minimum for each in finite),
        max(each.maximum for each in finite),
        stats[0].mean,
        stats[0].std,
        stats[0].zero_share,
        all(each.finite_share == 1 for each in stats),
        *columns,
    )


def _common(shapes: list[tuple[int, ...]]) -> tuple[int | None, ...]:
    """The shape of a sample; axes of other sizes in other batches are ``None``."""
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1:
        return ()
    sizes = zip(*(shape[1:] for shape in shapes), strict=True)
    return tuple(axis[0] if len(set(axis)) == 1 else None for axis in sizes)


def _layers(run: RunRecord, most: int) -> Mapping[str, Layer]:
    owned: dict[str, int] = {}
    for parameter in run.parameters:
        owned[parameter.layer] = owned.get(parameter.layer, 0) + math.prod(parameter.shape)
    samples: dict[str, LayerSample] = {}
    latest: dict[str, LayerSample] = {}
    for step in run.steps:
        for name, sample in step.layers.items() if step.step <= most else ():
            samples.setdefault(name, sample)
            latest[name] = sample
    found = {}
    batch = _batch_size(run)
    for layer in run.layers:
        if layer.name in owned or not _holds_others(layer, run.layers):
            own = samples.get(layer.name)
            found[layer.name] = Layer(
                layer.kind,
                owned.get(layer.name, 0),
                _values_of_layer(own.output, batch) if own is not None else None,
                _values_of_layer(own.given, batch) if own is not None and own.given is not None else None,
                _saturated(latest.get(layer.name)),
            )
    return found


def _saturated(sample: LayerSample | None) -> float:
    units = sample.units if sample is not None else None
    return units.saturated / units.units if units is not None and units.units and units.feeds_layer else 0.0


def _batch_size(run: RunRecord) -> int:
    """Of the first batch; 1 if it is not known."""
    shapes = (tensor.shape for step in run.steps[:1] if step.batch is not None for tensor in step.batch.tensors)
    return max(next((shape[0] for shape in shapes if shape), 1), 1)


def _holds_others(layer: LayerRecord, layers: Iterable[LayerRecord]) -> bool:
    return any(other.name.startswith(f"{layer.name}.") for other in layers)


def _unchanged(run: RunRecord) -> tuple[str, ...]:
    """Trainable parameters that no optimizer has, or without any update that was measured to be more than nothing."""
    updates: dict[str, float] = {}
    for step in run.steps:
        for name, sample in step.parameters.items():
            if sample.update is not None:
                updates[name] = max(updates.get(name, 0.0), sample.update)
    return tuple(p.name for p in run.parameters if p.trainable and (p.optimizer is None or updates.get(p.name) == 0))


def _one_batch(run: RunRecord) -> float | None:
    """``None`` too if time ran out before anything could be learnt."""
    for experiment in run.experiments:
        values = experiment.values
        if experiment.name == "one-batch-fit" and values["steps"] >= _TRIED:
            return values["final"] / min(values["initial"], values["constant"])
    return None
