"""Losses of accumulated batches that are not divided: the repair, whoever computes the gradients."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.accumulated_loss import AccumulatedLoss
from dllint.diagnose.causes.case import Case, Sources
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import LossRecord, OptimizerRecord, RunRecord, TrackRecord
from dllint.edit import apply_edits


def repairs(before, backward, passes, symptom="exploding"):
    text = f"{before}\n{backward}\n"
    place = SourcePlace("/project/train.py", 2, 1, 2, len(backward) + 1)
    track = TrackRecord("SGD", OptimizerRecord("SGD", None), 50, accumulated=passes)
    loss = LossRecord("loss", "SGD", None, place)
    run = RunRecord(("torch",), (track,), (loss,), (), (), (), (), (), (), "finished", 1.0, 0.0)
    case = Case(SimpleNamespace(symptom=symptom, evidence={}, place=None), run, Sources(lambda path: text))
    return [apply_edits(text, one.edits).splitlines()[1] for one in AccumulatedLoss().candidates(case)]


@pytest.mark.parametrize("name", ["loss", "total"])
@pytest.mark.parametrize("passes", [4, 16])
@pytest.mark.parametrize(
    "call", ["{}.backward()", "self.manual_backward({})", "accelerator.backward({})", "{}.mean().backward()"]
)
def test_the_loss_is_divided_by_the_batches_of_a_step(call, passes, name):
    (after,) = repairs(f"{name} = criterion(net(x), y)", call.format(name), passes)
    assert ast.unparse(ast.parse(after)).count(f"{name}.mean() / {passes}" if "mean" in call else f"{name} / {passes}") == 1
    assert after.count("backward") == 1


@pytest.mark.parametrize(
    ("before", "backward", "passes"),
    [
        ("loss = criterion(net(x), y)", "loss.backward()", 1),
        ("loss = criterion(net(x), y) / 16", "loss.backward()", 16),
        ("loss = criterion(net(x), y); loss /= steps", "loss.backward()", 16),
        ("loss = criterion(net(x), y)", "(loss / steps).backward()", 16),
        ("loss = criterion(net(x), y)", "self.manual_backward(loss * share)", 16),
    ],
)
def test_a_loss_that_is_divided_or_belongs_to_one_step_is_left_alone(before, backward, passes):
    assert repairs(before, backward, passes) == []


def test_other_symptoms_have_other_causes():
    assert repairs("loss = criterion(net(x), y)", "loss.backward()", 16, symptom="overfitting") == []
