"""``int`` of text in a base is the number that Python makes of it."""

from __future__ import annotations

import pytest

from tests.lower.tracing import values


@pytest.mark.parametrize("expression", ['int("0100", 2)', 'int("11", base=16)', 'int("0x1f", 0)', 'int(" 7 ")', 'int("z", 36)'])
def test_the_base_counts(expression: str) -> None:
    assert values(f"x = {expression}")["x"] == eval(expression)


def test_an_unknown_base_is_unknown() -> None:
    assert not isinstance(values('from elsewhere import base\nx = int("11", base)')["x"], int)
