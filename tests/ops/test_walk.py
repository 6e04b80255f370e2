"""Walks go along the operand whose elements an operation hands on, and along nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.ir.program import Op
from dllint.lower.document import lower_document
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.ops.walk import holds_whole_rows, maker_behind, sole_taker, steps_back
from dllint.source.document import Document

THROUGH = having(Trait.KEEPS_VALUES)


def traced(expression: str) -> list[Op]:
    text = f"import torch\nx = torch.randn(4, 8)\ny = {expression}\nz = torch.exp(y)\n"
    (program,) = lower_document(Document.from_text(Path("walk.py"), text)).programs
    return program.ops


@pytest.mark.parametrize("expression", ["x.t().clone()", "x.sort(1)[0]", "x.view(8, 4).flip(0)"])
def test_what_keeps_elements_is_walked_through(expression: str):
    ops = traced(expression)
    assert does(maker_behind(ops[-1].args["x"], THROUGH), Trait.DRAWS)
    assert does(list(steps_back(ops[-1].args["x"], THROUGH))[-1], Trait.DRAWS)


@pytest.mark.parametrize("expression", ["x.sort(1)[1].float()", "x.abs().t()", "x[x.argmax(1)]"])
def test_positions_and_other_elements_are_not(expression: str):
    assert not does(maker_behind(traced(expression)[-1].args["x"], THROUGH), Trait.DRAWS)


def test_the_only_taker_is_found_ahead():
    ops = traced("x.t().clone()")
    takers = {id(op): [other for other in ops if any(value in op.outputs for value in other.inputs)] for op in ops}
    assert does(sole_taker(ops[0], THROUGH, lambda op: takers[id(op)]), Trait.EXPONENTIAL)


@pytest.mark.parametrize(("expression", "whole"), [("x.flatten()", True), ("x.unsqueeze(-1)", False), ("x.view(2, 16)", True)])
def test_rows_that_stay_together(expression: str, whole: bool):
    ops = traced(expression)
    assert holds_whole_rows(ops[0].output, ops[-1].args["x"]) is whole
