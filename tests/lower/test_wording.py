"""The texts of conditions."""

from __future__ import annotations

import libcst
import pytest

from dllint.lower.wording import text_of


@pytest.mark.parametrize(
    "text",
    [
        "x", "self.a.b", "not x", "not self.a", "x is None", "self.x is not None", "not x is None", "x == 1", "(x)", "not (x)",
        "a.b().c", "a.b() is None", "x is None is y", "not not x", "-x", "(self).x is None", "x[0] is None", "True",
    ],
)  # fmt: skip
def test_plain_texts_are_those_of_the_source(text):
    assert text_of(libcst.parse_expression(text)) == text


def test_long_texts_are_cut():
    text = text_of(libcst.parse_expression("x" * 600))
    assert len(text) == 500
    assert text.endswith("…")
