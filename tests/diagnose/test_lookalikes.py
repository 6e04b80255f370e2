"""Runs that look faulty in one respect and are healthy: what symptoms say about their records."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

from dllint.diagnose.learning import is_solving
from dllint.diagnose.records import (
    ExperimentRecord,
    LayerRecord,
    LayerSample,
    LossCall,
    LossRecord,
    OptimizerRecord,
    ParameterRecord,
    ParameterSample,
    RunRecord,
    StepRecord,
    TensorStats,
    TrackRecord,
    UnitStats,
)
from dllint.diagnose.symptoms.registry import examine
from dllint.finding import Severity

STATS = TensorStats(320, 1.0, 0.0, 1.0, -3.0, 3.0, 0.0)
LOUD = TensorStats(320, 1.0, 0.0, 40.0, -90.0, 90.0, 0.0)


def call(value, kind="cross_entropy", **more):
    """A loss of 32 samples in 10 classes."""
    settings = {"classes": 10, "constant": math.log(10), "labels": {str(label): 3 for label in range(10)}, **more}
    return LossCall(kind, None, value, "mean", settings.pop("prediction", STATS), STATS, (32, 10), (32,), **settings)


def steps(calls=(), layers=None, parameters=None, count=60):
    """Steps of one track, each with its call of the loss function, if any."""
    calls = list(calls) or [None] * count
    return tuple(
        StepRecord("a", at, 0.0, layers or {}, dict(parameters(at)) if parameters else {}, calls=(given,) if given else ())
        for at, given in enumerate(calls, 1)
    )


def run(values, sampled=(), **more):
    """A run with one optimizer whose loss took these values."""
    track = TrackRecord("a", OptimizerRecord("SGD", None), len(values))
    loss = LossRecord("loss", "a", None, None, steps=tuple(range(1, len(values) + 1)), values=tuple(values))
    fields = {"layers": (), "parameters": (), **more}
    layers, parameters = fields.pop("layers"), fields.pop("parameters")
    return RunRecord(("torch",), (track,), (loss,), (), layers, parameters, sampled, (), (), "finished", 1.0, 0.0, **fields)


def told(record):
    """The severity of every symptom."""
    return {symptom.symptom: symptom.severity for symptom in examine(record)}


def falling(first, last, count=120):
    return [last + (first - last) * math.exp(-at / 15) for at in range(count)]


WELL, BADLY = falling(2.3, 0.1), [2.3] * 120
UNITS = {"Net.relu": LayerSample(STATS, UnitStats(16, 7, 0, 4000, 60))}
RELU = (LayerRecord("Net.relu", "ReLU", None),)


@pytest.mark.parametrize(("values", "severity"), [(WELL, Severity.INFO), (BADLY, Severity.WARNING)])
def test_dead_units_are_a_hint_where_the_task_is_solved(values, severity):
    assert told(run(values, steps(map(call, values), UNITS), layers=RELU))["dead node"] is severity


def test_dead_units_of_a_loss_that_is_not_known_are_a_hint_where_it_falls_far():
    assert told(run(WELL, steps(layers=UNITS), layers=RELU))["dead node"] is Severity.INFO
    assert told(run(BADLY, steps(layers=UNITS), layers=RELU))["dead node"] is Severity.WARNING


def test_a_layer_that_is_dead_as_a_whole_is_an_error_in_any_case():
    dead = {"Net.relu": LayerSample(STATS, UnitStats(16, 16, 0, 4000, 60))}
    assert told(run(WELL, steps(map(call, WELL), dead), layers=RELU))["dead node"] is Severity.ERROR


@pytest.mark.parametrize(("last", "severity"), [(0.2, Severity.INFO), (2.6, Severity.WARNING)])
def test_a_great_first_loss_is_a_hint_where_the_task_is_solved(last, severity):
    values = falling(18.0, last)
    assert told(run(values, steps(call(value, prediction=LOUD) for value in values)))["initial loss"] is severity


@pytest.mark.parametrize(("last", "severity"), [(0.2, Severity.INFO), (2.3, Severity.WARNING)])
def test_large_inputs_are_a_hint_where_the_task_is_solved(last, severity):
    pixels = TensorStats(320, 1.0, 120.0, 60.0, 0.0, 255.0, 0.0)
    values = falling(2.4, last)
    sampled = steps(map(call, values), {"Net.fc": LayerSample(STATS, input=pixels)})
    assert told(run(values, sampled, layers=(LayerRecord("Net.fc", "Linear", None),)))["unscaled input"] is severity


def test_a_loss_that_grows_with_its_targets_is_no_divergence():
    values = [0.01 * 1.05**at for at in range(120)]
    for better, is_told in ((3, False), (1, True)):
        sampled = steps(call(value, "mse_loss", constant=better * value, classes=0, labels={}) for value in values)
        assert ("exploding" in told(run(values, sampled))) is is_told


def test_a_loss_that_swings_about_0_is_no_divergence():
    random = Random(1)
    values = [-0.05, *(random.gauss(0, 3) for _ in range(120)), *([4.0] * 5)]
    assert "exploding" not in told(run(values))
    assert "exploding" in told(run([*values, *([400.0] * 20)]))


def jumping(at):
    """Small gradients, and great ones now and then."""
    yield "Net.fc.weight", ParameterSample(1.0, 5.0 if at % 15 == 0 else 0.01, 1e-4)


def test_rare_gradients_of_a_margin_that_mostly_holds_are_no_explosion():
    assert "exploding" not in told(run(falling(1.0, 0.02), steps(parameters=jumping)))
    assert "exploding" in told(run([1.0] * 120, steps(parameters=jumping)))


def test_a_loss_that_fell_at_once_has_converged():
    random = Random(2)
    late = [0.3 + 0.02 * random.random() for _ in range(3000)]
    assert "loss not decreasing" not in told(run([2.0, 1.5, 1.0, 0.7, 0.5, 0.4, *late]))
    assert "loss not decreasing" in told(run(late))


def test_the_rows_of_a_table_that_a_batch_leaves_alone_do_not_vanish():
    names = [("Net.table", 1e-9), ("Net.one", 1e-4), ("Net.two", 1e-3), ("Net.three", 1e-2), ("Net.four", 1e-1)]

    def parameters(at):
        return ((f"{name}.weight", ParameterSample(1.0, size, size)) for name, size in names)

    known = tuple(ParameterRecord(f"{name}.weight", name, (8, 8), "float32", True, "a") for name, _ in names)

    def layers(first):
        return tuple(LayerRecord(name, "Linear" if at else first, None, (), at, "Net") for at, (name, _) in enumerate(names))

    sampled = steps(parameters=parameters)
    assert "vanishing gradient" not in told(run(WELL, sampled, parameters=known, layers=layers("Embedding")))
    assert "vanishing gradient" in told(run(WELL, sampled, parameters=known, layers=layers("Linear")))


def sorted_labels(at, classes):
    """Labels side by side: of all classes in each batch, or of one."""
    labels = {str(label): 8 for label in range(4)} if classes > 1 else {str(at % 4): 32}
    return call(1.0, labels=labels, changes=classes - 1)


def test_samples_of_a_class_side_by_side_are_shuffled_enough_if_each_batch_has_all():
    mixed = steps(sorted_labels(at, 4) for at in range(60))
    assert "unshuffled labels" not in told(run(WELL, mixed))
    assert "unshuffled labels" in told(run(WELL, steps(sorted_labels(at, 1) for at in range(60))))


def test_nodes_of_one_graph_may_exchange_messages():
    talk = (ExperimentRecord("cross-talk", "Net", {"own": 1.0, "others": 2.0}),)
    assert told(run(WELL, steps(map(call, WELL)), experiments=talk))["batch cross-talk"] is Severity.WARNING


def test_an_accuracy_is_solved_only_far_above_a_constant():
    assert is_solving(run(WELL, steps(map(call, WELL))))
    assert not is_solving(run(BADLY, steps(map(call, BADLY))))


def test_the_loss_of_a_policy_gradient_may_grow_or_stay():
    growing = [10.0 * 1.05**at for at in range(120)]
    for values, symptom in ((growing, "exploding"), (BADLY, "loss not decreasing")):
        record = run(values)
        assert symptom in told(record)
        surrogate = replace(record.losses[0], is_surrogate=True)
        assert symptom not in told(replace(record, losses=(surrogate,)))


def test_running_statistics_that_lag_by_little_of_the_task_are_no_gap():
    random = Random(3)
    constant, values = math.log(2), falling(0.7, 0.04)
    for _ in range(100):
        # Dropout moves the loss of one batch in training mode to and fro; the loss in evaluation mode stays small.
        train, evaluated = random.uniform(0.01, 0.12), random.uniform(0.06, 0.075)
        modes = {"train": train, "eval": evaluated, "recalibrated": 0.04, "constant": constant}
        assert "train/eval gap" not in told(run(values, experiments=(ExperimentRecord("modes", "Net", modes),))), modes


@pytest.mark.parametrize("constant", [0.0, math.log(2)])
def test_running_statistics_that_lag_by_much_of_the_task_are_a_gap(constant):
    random = Random(3)
    for _ in range(100):
        train = random.uniform(0.01, 0.12)
        modes = {"train": train, "eval": train * 1.6 + 0.15, "recalibrated": train, "constant": constant}
        found = told(run(falling(0.7, 0.04), experiments=(ExperimentRecord("modes", "Net", modes),)))
        assert found["train/eval gap"] is Severity.WARNING, modes


@pytest.mark.parametrize(("classes", "frequent", "is_told"), [(36, 40, False), (36, 900, True), (4, 40, True)])
def test_rare_letters_are_no_imbalance_unless_one_class_prevails(classes, frequent, is_told):
    labels = {"0": frequent, **{str(label): 20 for label in range(1, classes - 1)}, str(classes - 1): 2}
    hits = {label: count for label, count in labels.items() if label != str(classes - 1)}
    seen = [call(1.0, classes=classes, labels=labels, hits=hits) for _ in range(120)]
    found = examine(run([1.0] * 120, steps(seen)))
    assert ("class imbalance" in {symptom.symptom for symptom in found}) is is_told
