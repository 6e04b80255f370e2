"""``int`` of text in a base is the number that Python makes of it; what is rounded is whole."""

from __future__ import annotations

import pytest

from tests.lower.tracing import values
from tests.rules.harness import findings


@pytest.mark.parametrize("expression", ['int("0100", 2)', 'int("11", base=16)', 'int("0x1f", 0)', 'int(" 7 ")', 'int("z", 36)'])
def test_the_base_counts(expression: str) -> None:
    assert values(f"x = {expression}")["x"] == eval(expression)


def test_an_unknown_base_is_unknown() -> None:
    assert not isinstance(values('from elsewhere import base\nx = int("11", base)')["x"], int)


@pytest.mark.parametrize("quotient", ["a / b", "config.width / config.ratio", "config.width * 0.5", "(config.width + 1) / 2"])
@pytest.mark.parametrize("whole", ["round({})", "int({})", "int(round({}))", "math.floor({})"])
def test_what_is_rounded_is_a_whole_number(whole: str, quotient: str) -> None:
    text = (
        "import math\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, config, a, b):\n"
        f"        super().__init__()\n        self.rows = {whole.format(quotient)}\n"
        "        self.layer = nn.Linear(8, self.rows)\n\n"
        "    def forward(self, x):\n        return self.layer(x).view(-1, self.rows)\n"
    )
    assert not findings(text)
