"""A setting is about the parameter whose default it replaces, not about others that have its name."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, {option}={first}):
        super().__init__()
        self.joined = nn.Linear({inputs}, width) if {test} else None

    def forward(self, x, {option}={second}):
        if self.joined is not None:
            x = self.joined(torch.cat([x, {option}], dim=-1))
        return x
"""


@pytest.mark.parametrize("option", ["skip", "context", "aux"])
@pytest.mark.parametrize(("first", "test"), [("False", "{option}"), ("0", "{option} > 0"), ("'no'", "{option} == 'yes'")])
@pytest.mark.parametrize("second", ["None", "()"])
def test_a_flag_of_the_constructor_is_no_argument_of_the_call(option: str, first: str, test: str, second: str) -> None:
    text = PROGRAM.format(option=option, first=first, second=second, test=test.format(option=option), inputs="2 * width")
    told = [finding.message for finding in findings(text) if finding.code == "DLT102"]
    assert not [message for message in told if f"{option} is True" in message or f"{option} > 0" in message], told
