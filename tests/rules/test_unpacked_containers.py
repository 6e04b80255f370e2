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


_OUTER = ["(0, (1, 2, 3), 4)", "[0, 'word', 1]", "{'picture': 1, 'label': 2, 'other': 3}", "(1, (2, 3), 4, 5, 6)"]
_PATTERNS = ["a, (b, c)", "(b, c), a", "a, [b, (c, d)]", "(a, (b, c))"]
_FORMS = ["{pattern} = values", "for {pattern} in [values]:\n    pass", "found = [0 for {pattern} in [values]]"]


def _told(text: str) -> list[str]:
    return [each.message for each in findings(text) if each.code == "DLT109"]


@pytest.mark.parametrize("values", _OUTER)
@pytest.mark.parametrize("pattern", _PATTERNS)
@pytest.mark.parametrize("form", _FORMS)
def test_the_parts_of_a_pattern_that_does_not_fit_are_not_told(values: str, pattern: str, form: str) -> None:
    code = form.format(pattern=pattern)
    messages = _told(f"import torch\n\nvalues = {values}\n{code}\ntorch.ones(3).sum()\n")
    assert len(messages) == 1
    assert "into 2 names" in messages[0]


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize(("values", "pattern"), [("(0, (1, 2, 3))", "a, (b, c)"), ("((1, 2, 3), 0)", "(b, c), a")])
def test_a_part_that_does_not_fit_is_told(values: str, pattern: str, form: str) -> None:
    code = form.format(pattern=pattern)
    messages = _told(f"import torch\n\nvalues = {values}\n{code}\ntorch.ones(3).sum()\n")
    assert len(messages) == 1
    assert messages[0].startswith("`(b, c)` unpacks 3 values")
