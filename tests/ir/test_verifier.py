"""The verifier finds what no traced program may have."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.ir.program import Program, Site
from dllint.ir.verifier import problems
from dllint.lower.document import lower_document
from dllint.source.document import Document


@pytest.fixture
def program() -> Program:
    text = "import torch\nx = torch.zeros(2, 3)\ny = torch.relu(x)\n"
    return lower_document(Document.from_text(Path("net.py"), text)).programs[0]


def test_a_traced_program_is_valid(program):
    assert [op.kind for op in program.ops] == ["zeros", "relu"]
    assert problems(program) == []


def test_a_value_used_before_its_operation(program):
    program.trace.reverse()
    (problem,) = problems(program)
    assert problem.startswith("relu: ")
    assert problem.endswith("is used before zeros defines it")


def test_an_operation_performed_twice_defines_its_value_twice(program):
    program.trace.append(program.ops[1])
    assert [problem.partition(": ")[2].split(" ", 1)[1] for problem in problems(program)] == ["is defined twice"]


def test_an_output_of_another_operation(program):
    made, used = program.ops
    used.outputs = made.outputs
    assert "relu: output 0 names another producer" in problems(program)


def test_an_operation_without_a_place(program):
    program.ops[0].site = Site(None, None, None)
    assert problems(program) == ["zeros: it has no place in the source"]
