"""Candidates that watching changes, that are not deterministic, or of which every operator is a little off."""

from __future__ import annotations

import numpy as np
import pytest

from dllint.bisection.result import Verdict
from dllint.bisection.search.groups import grouped
from dllint.bisection.steps import Step
from tests.bisection.toys import Toy, bisected, chain

REFERENCE = chain()
FAULTY = REFERENCE.with_operator(t11=lambda h, f=REFERENCE.operators["t11"][0]: np.roll(f(h), 1, axis=-1))


class Fused:
    """Wrong when it is run as it is deployed, right as soon as values inside are wanted; one of its optimisers is at fault."""

    levels = ("all", "basic", "none")
    optimisers = ("ConstantFolding", "MatMulAddFusion", "GeluFusion", "ConvBNFusion", "ReshapeFusion")
    guilty = frozenset({"GeluFusion"})

    def __init__(self, on: frozenset[str] = frozenset(optimisers)) -> None:
        self.observables, self.outputs = REFERENCE.observables, REFERENCE.outputs
        self._on = on

    @property
    def _deployed(self) -> Toy:
        return FAULTY if self.guilty <= self._on else REFERENCE

    def run(self, inputs, wanted):
        return (self._deployed if list(wanted) == self.outputs else REFERENCE).run(inputs, wanted)

    def untapped(self, inputs):
        return self._deployed.run(inputs, self.outputs)

    def at_level(self, level):
        return Fused(self._on if level == "all" else frozenset({"GeluFusion"}) if level == "basic" else frozenset())

    def without(self, optimisers):
        return Fused(self._on - set(optimisers))


class PairFused(Fused):
    guilty = frozenset({"ConstantFolding", "ReshapeFusion"})


def test_a_fault_that_vanishes_when_observed_is_told_with_the_optimiser():
    found = bisected(REFERENCE, Fused())
    assert found.verdict is Verdict.VANISHES_WHEN_OBSERVED
    assert found.culprits == []
    assert found.candidate_metric < found.reference_metric - 0.1
    assert any("with optimisation `none` in place of `all`" in note for note in found.notes)
    assert any("the optimiser `GeluFusion` suffices" in note for note in found.notes)


class Noisy:
    """Adds noise inside, new for every run."""

    def __init__(self, toy: Toy, size: float) -> None:
        self.observables, self.outputs = toy.observables, toy.outputs
        self._toy = toy
        self._generator = np.random.default_rng(5)
        self._size = size

    def run(self, inputs, wanted):
        x = inputs["x"]
        return self._toy.run({"x": x + self._size * self._generator.normal(size=x.shape)}, wanted)


def test_noise_is_measured_and_does_not_accuse():
    found = bisected(REFERENCE, Noisy(REFERENCE, 1e-3))
    assert found.verdict is Verdict.NO_DROP_SEEN
    assert any("not deterministic" in note for note in found.notes)


def test_a_fault_is_found_under_noise():
    found = bisected(REFERENCE, Noisy(FAULTY, 1e-3))
    assert [step.name for culprit in found.culprits for step in culprit.steps] == ["t11"]


def test_the_first_value_that_is_not_finite_is_told_first():
    overflow = REFERENCE.with_operator(t6=lambda h, f=REFERENCE.operators["t6"][0]: np.where(f(h) > 0.9, np.nan, f(h)))
    assert bisected(REFERENCE, overflow).notes[0].startswith("`t6` is the first with values that are not finite")


def test_what_differs_without_harm_is_listed():
    benign = REFERENCE.with_operator(
        t4=lambda h, f=REFERENCE.operators["t4"][0]: f(h) + 1e-4, t20=lambda h, f=REFERENCE.operators["t20"][0]: f(h) * 1.001
    )
    found = bisected(REFERENCE, benign)
    assert found.culprits == []
    assert [step.name for step in found.harmless][:1] == ["t4"]


def test_where_every_operator_is_a_little_off_groups_have_shares():
    generator = np.random.default_rng(2)
    blur = {name: generator.normal(size=(16, 16)) * 0.012 for name in REFERENCE.operators if name.startswith("t")}
    coarse = REFERENCE.with_operator(
        **{name: (lambda h, f=REFERENCE.operators[name][0], b=b: f(h + h @ b)) for name, b in blur.items()}
    )
    found = bisected(REFERENCE, coarse)
    assert found.verdict is Verdict.DIFFUSE
    assert len(found.shares) == 7
    assert sum(len(share.steps) for share in found.shares) == len(REFERENCE.operators)
    assert sum(share.share for share in found.shares) == pytest.approx(1.0, abs=0.25)
    assert found.shares[0].contrast.high < 0


def test_groups_are_cut_between_modules():
    steps = [Step(f"s{i}", (f"s{i}",), f"blocks.{i // 4}.part{i % 4}") for i in range(16)]
    assert [len(group) for group in grouped(steps, 4)] == [4, 4, 4, 4]
    assert [len(group) for group in grouped(steps[:3])] == [1, 1, 1]


def test_a_culprit_is_told_from_large_to_small():
    found = bisected(REFERENCE, FAULTY)
    assert found.culprits[0].levels == {"block": "blocks.11", "layer": "blocks.11.inner", "operator": "t11"}
