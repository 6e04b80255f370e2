"""Collections of an object that other methods fill: nothing is known of them in a method that is run by itself."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

SCORER = """
import numpy as np
import torch


class Scorer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {empty}

    def {fill}:
        {add}
        {more}

    def forward(self, x):
        return x * np.log(float(len(self.kept)))
"""
FILLED = {
    "append": ("[]", "add(self, other)", "self.kept.append(other)", "return None"),
    "extend": ("[]", "take(self, others)", "self.kept += others", "return None"),
    "in place": ("[]", "__iadd__(self, other)", "self.kept.append(other)", "return self"),
    "mapping": ("{}", "put(self, key, other)", "self.kept[key] = other", "return None"),
    "replaced": ("list()", "load(self, path)", "self.kept = open(path).readlines()", "return None"),
}
USE = """

def main(names):
    scorer = Scorer()
    for name in names:
        scorer += name
    return scorer(torch.ones(3))
"""


def told(text: str) -> list[str]:
    return [finding.code for finding in findings(text) if finding.code.startswith("DLN")]


@pytest.mark.parametrize("how", FILLED)
def test_what_another_method_fills_is_not_empty(how: str) -> None:
    empty, fill, add, more = FILLED[how]
    assert told(SCORER.format(empty=empty, fill=fill, add=add, more=more)) == []


def test_the_object_s_own_operator_fills_it() -> None:
    empty, fill, add, more = FILLED["in place"]
    assert told(SCORER.format(empty=empty, fill=fill, add=add, more=more) + USE + "main(['a', 'b'])\n") == []


def test_what_nothing_fills_is_empty() -> None:
    text = SCORER.format(empty="[]", fill="other(self)", add="pass", more="return 1")
    assert told(text) == ["DLN101"]
