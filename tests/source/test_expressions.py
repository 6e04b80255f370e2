"""Expressions in texts: those that people write are read, those that would cost a parser its stack are none."""

# ruff: noqa: E501 - what is tried stands on one line
from __future__ import annotations

import ast

import libcst as cst
import pytest

from dllint.source.expressions import abstract_expression, concrete_expression

WRITTEN = [
    "int",
    " Optional[int]",
    "int | None",
    "Float[Tensor, 'b c']",
    "x > 3 and not y.is_cuda",
    "f(1, *a, **b)",
    "-x",
    "(\n1,\n 2)",
]
#: What is repeated at the beginning, in the middle and at the end.
ROWS = [
    ("(", "", ""), ("(", "1", ")"), ("[", "1", "]"), ("{", "", ""), ("-", "1", ""), ("not ", "a", ""), ("~", "1", ""), ("int | ", "int", ""),
    ("a + ", "a", ""), ("a.", "a", ""), ("", "f", "()"), ("", "f", "[0]"), ("lambda: ", "1", ""), ("a if b else ", "c", ""), ("a ** ", "a", ""),
    ("list[", "int", "]"), ("f(", "1", ")"), ("a and ", "a", ""), ("f'{", "1", "}'"), ("await ", "a", ""),
]  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write_is_read(text: str) -> None:
    found = concrete_expression(text)
    assert found is not None
    assert cst.Module([]).code_for_node(found) == text.strip()
    assert isinstance(abstract_expression(text.strip()), ast.expr)


@pytest.mark.parametrize("text", ["", "x = 1", "x; y", "x\ny", "return", "1 +", "(", "\0", "\ud800", "x #", "import a"])
def test_what_is_no_expression_is_none(text: str) -> None:
    assert concrete_expression(text) is None or text == "x #"
    assert abstract_expression(text) is None or text == "x #"


@pytest.mark.parametrize("count", [300, 5000, 20_000, 1_000_000])
@pytest.mark.parametrize("row", ROWS, ids="".join)
def test_nothing_costs_the_parser_its_stack(row: tuple[str, str, str], count: int) -> None:
    first, middle, last = row
    text = first * count + middle + last * count
    concrete_expression(text)
    assert count < 5000 or abstract_expression(text) is None or first == "a and "
