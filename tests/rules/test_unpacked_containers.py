"""What does not fit its targets is told by its number; only the sizes of a tensor are called a shape."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("[0, 1]", "unpacks 2 values into 3 names"),
        ("list((4, 1))", "unpacks 2 values into 3 names"),
        ("torch.ones(4, 5).shape", "(4, 5)"),
        ("torch.ones(4, 5).size()", "(4, 5)"),
    ],
)
def test_numbers_are_no_shape(value: str, told: str) -> None:
    text = f"import torch\n\nvalues = {value}\na, b, c = values\ntorch.ones(3).sum()\n"
    messages = [each.message for each in findings(text) if each.code == "DLT109"]
    assert len(messages) == 1
    assert told in messages[0]
    assert ("shape" in messages[0]) is ("torch" in value)
