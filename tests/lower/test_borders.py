"""Every operation, handler, property and row of the tables with every kind of value, joined and unknown ones included: no
exception, nothing claimed of a value that is not known which a value that it may be contradicts."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.borders.check import ACCEPTED, troubles
from benchmarks.borders.consistency import invention
from benchmarks.borders.kinds import KNOWN, OPEN, B, tensor
from benchmarks.borders.subjects import Subject, subjects
from benchmarks.borders.workshop import Workshop
from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments

#: Of the subjects in the order of their names, every so manieth is tried.
_EVERY = 8


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture(scope="module")
def everything(workshop: Workshop) -> list[Subject]:
    return list(subjects())


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("part", range(4))
def test_any_kind_of_value_may_stand_anywhere(workshop: Workshop, everything: list[Subject], part: int):
    chosen = everything[part :: _EVERY * 4]
    assert len(chosen) > 100
    found = [str(t) for subject in chosen for t in troubles(workshop, subject, Random(f"0 {subject.name}"), bases=1)]
    assert not found


def test_what_is_accepted_names_subjects_that_exist(everything: list[Subject]):
    parameters = {subject.name.partition(" (")[0]: subject.parameters for subject in everything}
    assert not [key for key in ACCEPTED if key[1] not in parameters.get(key[0], ())]


def _subject(call) -> Subject:
    return Subject("operation made_up", ("x",), ("x",), call)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda w, given, more: given["x"].shape[0], "exception"),
        (lambda w, given, more: tensor((2, 3)) if isinstance(given["x"], Unknown) else given["x"], "invented"),
        (lambda w, given, more: 3 if isinstance(given["x"], Unknown) else 4, "invented"),
        (lambda w, given, more: () if isinstance(given["x"], Unknown) else (1, 2), "invented"),
    ],
)
def test_the_check_finds_what_it_looks_for(workshop: Workshop, call, kind: str):
    assert kind in {trouble.kind for trouble in troubles(workshop, _subject(call), Random(0))}


def test_a_fault_that_a_known_value_does_not_have_is_found(workshop: Workshop):
    def call(w: Workshop, given, more: Arguments):
        x = tensor((2, 3)) if isinstance(given["x"], Unknown) else tensor((B, 3))
        return w.machine.emit(
            "matmul", {"x": x, "y": tensor((2, 3) if isinstance(given["x"], Unknown) else (3, 2))}, framework="torch"
        )

    assert "a fault" in {trouble.what.partition(",")[0] for trouble in troubles(workshop, _subject(call), Random(0))}


def test_open_values_may_be_the_known_ones_that_are_named(workshop: Workshop):
    for name, (make, instances) in OPEN.items():
        for instance in instances:
            assert not invention(make(workshop), KNOWN[instance](workshop)), f"{name} is no {instance}"
