"""Where two recorded runs part, and what is said to explain it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dllint.diagnose.comparison.comparison import compare, to_record
from dllint.diagnose.record_file import read_record, written
from tests.diagnose.scripts import HEALTHY

BASE = HEALTHY.replace("STEPS", "30")
RATE = "lr=0.01"


@pytest.fixture
def recorded(diagnose, tmp_path):
    """Runs the base program with replacements, and reads its record."""

    def run(*replaced, arguments=()):
        text, path = BASE, tmp_path / "record.json"
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new)
        diagnose(text, "--record", str(path), arguments=arguments)
        return read_record(path)

    return run


@pytest.fixture
def base(recorded):
    return recorded()


def kinds(comparison):
    return {(condition.kind, condition.subject) for condition in comparison.conditions}


def test_equal_programs_give_the_same_run(base, recorded):
    comparison = compare(base, recorded())
    assert comparison.is_same
    assert comparison.conditions == ()
    assert "30 losses" in comparison.statement
    assert {point.distance for curve in comparison.curves for point in curve.points} == {0.0}


def test_another_learning_rate_parts_them_at_the_first_update(base, recorded):
    comparison = compare(base, recorded((RATE, "lr=0.1")))
    assert (comparison.parting.step, comparison.parting.quantity) == (1, "update")
    assert comparison.explanation.startswith("weights, data, loss and gradients are the same")
    assert "optimizer: lr (0.01 / 0.1)" in comparison.explanation
    assert [point.step for point in comparison.curves[0].points] == [1, 2, 5, 10, 20, 30]
    assert comparison.curves[0].points[0].distance == 0


def test_another_seed_parts_them_at_the_initial_weights_or_data(base, recorded):
    comparison = compare(base, recorded(("seed(0)", "seed(1)")))
    assert (comparison.parting.step, comparison.parting.quantity) == (1, "weights")
    assert comparison.parting.subject.startswith("Sequential.")
    assert "seeds: torch (0 / 1)" in comparison.explanation


def test_another_order_of_the_same_data_is_told_as_such(base, recorded):
    comparison = compare(base, recorded(("batches = iter(loader)\nwhile", "torch.rand(1)\nbatches = iter(loader)\nwhile")))
    assert (comparison.parting.step, comparison.parting.quantity) == (1, "batch")
    assert "the initial weights are the same; they hold numbers of the same kind" in comparison.explanation
    assert "the script" in comparison.explanation


def test_other_preprocessing_is_told_with_both_ranges(base, recorded):
    comparison = compare(base, recorded(("loader = ", "x = x * 100\nloader = ")))
    assert comparison.parting.quantity == "batch"
    assert "it is prepared in another way" in comparison.explanation
    assert any("not normalised" in text for text in comparison.symptoms[1])
    assert comparison.symptoms[0] == ()


def test_another_batch_size_is_told(base, recorded):
    comparison = compare(base, recorded(("batch_size=32", "batch_size=16")))
    assert "(32, 8) float32 in A, (16, 8) float32 in B" in comparison.explanation


def test_another_model_comes_before_all_else(base, recorded):
    comparison = compare(base, recorded(("nn.Linear(8, 32), nn.ReLU(), nn.BatchNorm1d(32)", "nn.Linear(8, 32), nn.ReLU()")))
    assert comparison.statement.startswith("The models are not the same: Sequential.2.weight is (32,) in A, not there in B")
    assert ("model", "Sequential.2") in kinds(comparison)


def test_another_loss_parts_them_at_the_first_loss(base, recorded):
    comparison = compare(base, recorded(("CrossEntropyLoss()", "CrossEntropyLoss(label_smoothing=0.2)")))
    assert (comparison.parting.step, comparison.parting.quantity) == (1, "loss")
    assert "the initial weights and the data are the same" in comparison.explanation


def test_clipped_gradients_show_as_gradients(base, recorded):
    clipped = "loss.backward()\n    nn.utils.clip_grad_norm_(net.parameters(), 0.01)"
    comparison = compare(base, recorded(("loss.backward()", clipped)))
    assert (comparison.parting.step, comparison.parting.quantity) == (1, "gradient")


def test_a_difference_of_rounding_is_blamed_on_the_machine(base):
    course = base.losses[0]
    moved = replace(course, values=tuple(v * (1 + 1e-7 * (s >= 4)) for s, v in zip(course.steps, course.values, strict=True)))
    known = base.reproducibility
    other = replace(known, hardware={**known.hardware, "threads": "8"})
    comparison = compare(base, replace(base, losses=(moved,), reproducibility=other))
    assert (comparison.parting.step, comparison.parting.quantity) == (4, "loss")
    assert "numbers are rounded otherwise" in comparison.explanation
    assert "hardware: threads (1 / 8)" in comparison.explanation
    alone = compare(base, replace(base, losses=(moved,)))
    assert "operations do not give the same numbers each time" in alone.explanation


def test_a_run_that_was_cut_short_is_the_same_so_far_and_one_that_ended_is_not(base):
    track = replace(base.tracks[0], steps=20)
    steps = tuple(step for step in base.steps if step.step <= 20)
    shorter = replace(base, tracks=(track,), steps=steps)
    assert compare(base, replace(shorter, ended="interrupted")).is_same
    comparison = compare(base, shorter)
    assert (comparison.parting.step, comparison.parting.quantity) == (21, "length")


def test_a_difference_between_sampled_steps_is_told_with_what_is_known(base):
    steps = tuple(
        replace(step, parameters={name: replace(p, weight=p.weight * 1.5) for name, p in step.parameters.items()})
        if step.step > 15
        else step
        for step in base.steps
        if step.step < 10 or step.step > 15
    )
    comparison = compare(base, replace(base, steps=steps))
    assert "step 16 of Adam (or after step 9, the last that was looked at)" in comparison.statement


def test_runs_that_fail_alike_are_the_same(recorded):
    runs = [recorded((RATE, "lr=1e30")) for _ in range(2)]
    assert compare(*runs).is_same


def test_a_run_that_fails_parts_from_one_that_does_not(recorded):
    fails = (
        "loss = criterion(net(batch[0]), batch[1])",
        "loss = criterion(net(batch[0]), batch[1]) + 0 * torch.tensor(LIMIT - step).log()",
    )
    comparison = compare(
        recorded((fails[0], fails[1].replace("LIMIT", "25"))), recorded((fails[0], fails[1].replace("LIMIT", "90")))
    )
    assert (comparison.parting.step, comparison.parting.quantity) == (26, "fault")
    assert "at step 26, B none" in comparison.statement
    assert any(text.startswith("DLX101") for text in comparison.symptoms[0])


def test_an_optimizer_that_only_one_run_has_is_told(base):
    other = replace(base, tracks=(*base.tracks, replace(base.tracks[0], key="SGD")))
    comparison = compare(base, other)
    assert (comparison.parting.track, comparison.parting.quantity) == ("SGD", "length")
    assert "A ended after 0 steps, B after 30 steps" in comparison.statement


def test_the_command_reports_and_tells_by_its_status(base, run_in_fork, tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    for name, run in (("a", base), ("b", replace(base, tracks=(replace(base.tracks[0], initial="other"),)))):
        (folder / f"{name}.json").write_text(json.dumps(written(run)))
    (folder / "c.json").write_text("no record")
    assert run_in_fork(["diagnose", "--compare", "a.json", "a.json"], folder)[0] == 0
    status, out, _ = run_in_fork(["diagnose", "--compare", "a.json", "b.json"], folder)
    assert (status, out.splitlines()[:2]) == (1, ["A: a.json", "B: b.json"])
    status, out, _ = run_in_fork(["diagnose", "--output-format", "json", "--compare", "a.json", "b.json"], folder)
    assert (status, json.loads(out)["same"], json.loads(out)["parting"]["quantity"]) == (1, False, "weights")
    status, out, err = run_in_fork(["diagnose", "--compare", "a.json", "c.json"], folder)
    assert (status, "no JSON" in err) == (2, True)
    assert run_in_fork(["diagnose", "--compare", "a.json", "b.json", "train.py"], folder)[0] == 2


def test_a_comparison_can_be_written(base):
    assert json.loads(json.dumps(to_record(compare(base, base)), allow_nan=False))["same"] is True
