"""Faults that are put into programs of data and losses have places, change programs, and raise where they are said to."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest

from benchmarks.data_slips.draw import SETS
from benchmarks.data_slips.kinds import torch_data, torch_losses
from benchmarks.data_slips.kinds.every import kinds
from benchmarks.data_slips.proofs import READ, RUN
from benchmarks.training_slips.checking import slips
from benchmarks.training_slips.draw import rows
from benchmarks.training_slips.proofs import error_of


@pytest.fixture(scope="module")
def made():
    return {text: list(slips("own", text, "1", of=kinds())) for text in (*RUN, *READ)}


def test_every_kind_has_a_place_in_some_program(made):
    assert {kind.name for kind in kinds()} == {slip.kind.name for found in made.values() for slip in found}


def test_a_fault_changes_a_program_that_can_still_be_parsed(made):
    for text, found in made.items():
        for slip in found:
            assert ast.dump(ast.parse(slip.text)) != ast.dump(ast.parse(text)), slip.kind.name


def test_names_of_kinds_are_their_own():
    assert len({kind.name for kind in kinds()}) == len(kinds())


@pytest.mark.oracle
def test_the_kinds_raise_that_are_said_to_raise(made):
    assert [error_of(text) for text in RUN] == [""] * len(RUN)
    shown = defaultdict(set)
    for text in RUN:
        for slip in made[text]:
            shown[slip.kind].add(error_of(slip.text))
    for kind in shown:
        if kind.sites.__module__ in (torch_losses.__name__, torch_data.__name__):
            assert ("" in shown[kind]) == (kind.effect == "silent"), (kind.name, shown[kind])


def test_no_script_is_in_two_draws():
    listed = [row[0] for file in sorted(SETS.glob("*.tsv")) for row in rows(file)]
    assert len(listed) == len(set(listed)) > 20
