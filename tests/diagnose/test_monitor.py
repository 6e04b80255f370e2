"""The core without a framework: history, schedule, limits, records."""

from __future__ import annotations

import pytest

from dllint.diagnose.history import Samples, Series
from dllint.diagnose.limits import PATIENCE, Ending, Limits, Stopped
from dllint.diagnose.monitor import Monitor, StepDetail
from dllint.diagnose.records import LossRecord, NumericFault, OptimizerRecord, RunRecord
from dllint.diagnose.schedule import BUDGET, DENSE_STEPS, Schedule
from dllint.diagnose.serial import from_json, to_json


def test_a_long_series_keeps_its_shape_in_bounded_memory():
    series = Series()
    for step in range(1, 100_001):
        series.add(step, float(step))
    assert 5_000 < len(series.values) < 20_000
    assert series.steps[0] < 20
    assert series.steps[-1] > 99_980
    assert list(series.values) == [float(step) for step in series.steps]


def test_samples_keep_both_ends_and_are_in_order():
    samples = Samples()
    for number in range(10_000):
        samples.add(number)
    kept = samples.items()
    assert kept[:20] == tuple(range(20))
    assert kept[-40:] == tuple(range(9_960, 10_000))
    assert list(kept) == sorted(kept)
    assert len(kept) == 120


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(("pace", "cost"), [(0.001, 0.02), (0.1, 0.02), (0.01, 0.5)])
def test_sampling_stays_within_its_budget(pace, cost):
    clock = Clock()
    schedule = Schedule(clock=clock)
    clock.now += 30
    sampled = []
    for step in range(20_000):
        clock.now += pace
        if schedule.sampling:
            sampled.append(step)
            with schedule.measured(), schedule.measured():
                clock.now += cost
        schedule.finish("track")
    assert sampled[:DENSE_STEPS] == list(range(DENSE_STEPS))
    assert len(sampled) > DENSE_STEPS
    assert 0 < schedule.own_share <= BUDGET


def test_later_stages_of_a_program_are_looked_at_from_their_second_step_on():
    clock = Clock()
    schedule = Schedule(clock=clock)
    sampled = {}

    def steps(track, count):
        for step in range(count):
            clock.now += 0.001
            if schedule.sampling:
                sampled.setdefault(track, []).append(step)
                with schedule.measured():
                    clock.now += 0.05
            schedule.finish(track)

    steps("teacher", 300)
    steps("student", 300)
    schedule.begin("student", 300)
    before = len(sampled["student"])
    steps("student", 300)
    assert sampled["teacher"][:DENSE_STEPS] == list(range(DENSE_STEPS))
    assert sampled["student"][:5] == [1, 2, 3, 4, 5]
    assert sampled["student"][before : before + 5] == [1, 2, 3, 4, 5] or sampled["student"][before : before + 5] == [
        0,
        1,
        2,
        3,
        4,
    ]
    for stage in range(50):
        steps(f"fold {stage}", 20)
    assert len(sampled) < 20


def test_a_fixed_period_samples_alike_at_any_pace():
    def sampled(pace: float, cost: float) -> list[int]:
        clock = Clock()
        schedule = Schedule(clock=clock, period=7)
        seen = []
        for step in range(1, 100):
            clock.now += pace
            if schedule.sampling:
                seen.append(step)
            with schedule.measured():
                clock.now += cost
            schedule.finish("track")
        return seen

    assert sampled(0.1, 5.0) == sampled(3.0, 0.001) == [*range(1, 21), *range(27, 100, 7)]


def test_a_track_of_its_own_rhythm_is_sampled_too():
    schedule = Schedule(clock=Clock())
    seen = {"critic": 0, "generator": 0}
    for step in range(3_000):
        track = "generator" if step % 6 == 5 else "critic"
        seen[track] += schedule.sampling and step > 200
        schedule.finish(track)
    assert min(seen.values()) > 3


def test_an_end_that_is_caught_is_raised_again_and_at_last_forced():
    forced = []
    ending = Ending(forced.append)
    ending.raise_if_requested()
    ending.request("steps")
    ending.request("time")
    for _ in range(PATIENCE):
        with pytest.raises(Stopped, match="steps"):
            ending.raise_if_requested()
    assert forced == []
    with pytest.raises(Stopped):
        ending.raise_if_requested()
    assert forced == ["steps"]


def test_a_record_survives_json():
    monitor = Monitor(Limits(steps=2), lambda event, record: None, lambda reason: None)
    monitor.track("SGD", OptimizerRecord("SGD", None, ({"lr": 0.1, "nesterov": False, "foreach": None},)))
    monitor.loss(LossRecord("loss", "SGD", None, None), 1, float("nan"))
    monitor.finish_step("SGD", StepDetail(groups=({"lr": 0.1},)))
    monitor.fault(NumericFault("loss", 1, "SGD", "loss", None))
    with pytest.raises(Stopped, match="steps"):
        monitor.finish_step("SGD", None)
    run = monitor.record("steps")
    written = to_json(run)
    assert written["losses"][0]["values"] == ["nan"]
    assert to_json(from_json(RunRecord, written)) == written
    assert run.tracks[0].steps == 2
