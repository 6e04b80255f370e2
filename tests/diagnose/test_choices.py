"""Layers that take part by choice, and those that are forgotten."""

from __future__ import annotations

from dllint.diagnose.choices import chosen_among
from dllint.diagnose.records import LayerRecord, LayerSample, RunRecord, StepRecord, TensorStats


def sample(count):
    return LayerSample(TensorStats(count, 1.0, 0.0, 1.0, -1.0, 1.0, 0.0))


def run(*steps, layers=3):
    """A run whose steps tell how many outputs the layers ``Net.parts.0`` and so on gave (0: they were not called)."""
    names = [f"Net.parts.{number}" for number in range(layers)]
    known = tuple(LayerRecord(name, "Linear", None) for name in names)
    taken = tuple(
        StepRecord("t", at, 0.0, {name: sample(count) for name, count in zip(names, counts, strict=True) if count})
        for at, counts in enumerate(steps, 1)
    )
    return RunRecord((), (), (), (), known, (), taken, (), (), "finished", 0.0, 0.0)


def is_chosen(record, number):
    return chosen_among(record, record.layers[number])


def test_an_expert_that_the_router_never_takes():
    assert is_chosen(run((30, 70, 0), (60, 40, 0), (10, 90, 0)), 2)


def test_heads_that_take_turns():
    assert is_chosen(run((32, 0, 0), (0, 32, 0), (32, 0, 0)), 2)


def test_a_part_of_a_chain_that_is_forgotten():
    assert not is_chosen(run((64, 64, 0), (64, 64, 0), (64, 64, 0)), 2)


def test_a_chain_under_batches_of_different_size():
    assert not is_chosen(run((64, 32, 0), (48, 24, 0), (16, 8, 0)), 2)


def test_a_layer_that_stands_alone():
    assert not is_chosen(run((64,), (32,), layers=1), 0)


def test_other_layers_are_not_others_of_its_kind():
    record = run((30, 70, 0), (60, 40, 0))
    assert not chosen_among(record, LayerRecord("Net.parts.2", "Conv1d", None))
    assert not chosen_among(record, LayerRecord("Net.head", "Linear", None))
