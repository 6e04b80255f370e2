"""What a method does without an optional input is no fault where callers give it; what it does with any input is one."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

_CLASS = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, skip_width, out_width):
        super().__init__()
        self.first = nn.Conv2d({ins}, out_width, 3, padding=1)
        self.second = nn.Conv2d(out_width, {second}, 3, padding=1)

    def forward(self, x, {name}=None):
        {before}
        if {test}:
            x = torch.cat([x, {name}], dim=1)
        return self.second(self.first(x))
"""
_TESTS = ("{name} is not None", "not ({name} is None)", "{name} != None")
_BEFORE = ("x = nn.functional.interpolate(x, scale_factor=2)", "x = x.contiguous()", "x = self.same(x) if False else x")


def _told(**parts: str) -> list[str]:
    parts["test"] = parts["test"].format(name=parts["name"])
    return [finding.message for finding in findings(_CLASS.format(**parts)) if finding.severity.value == "error"]


@pytest.mark.parametrize(("test", "before", "name"), list(itertools.product(_TESTS, _BEFORE, ("skip", "context"))))
def test_the_input_that_is_left_out(test: str, before: str, name: str) -> None:
    assert not _told(ins="width + skip_width", second="out_width", test=test, before=before, name=name)
    assert not _told(ins="16 + 8", second="8", test=test, before=f"x = nn.Conv2d(3, 16, 1)(x)\n        {before}", name=name)


@pytest.mark.parametrize(("test", "before"), list(itertools.product(_TESTS, _BEFORE)))
def test_what_is_wrong_with_any_input(test: str, before: str) -> None:
    parts = {"ins": "width + skip_width", "second": "out_width", "test": test, "name": "skip"}
    text = _CLASS.format(**{**parts, "before": before, "test": test.format(name="skip")})
    wrong = text.replace("self.second(self.first(x))", "nn.Linear(5, 2)(nn.Linear(3, 4)(self.second(self.first(x))))")
    assert any(finding.severity.value == "error" for finding in findings(wrong))


_WRAPPED = (
    "torch.nn.functional.linear",
    "torch.transpose",
    "torch.gather",
    "np.concatenate",
    "tf.transpose",
    "tf.image.resize",
)
_STARS = {
    "*args, **options": "*args, **options",
    "*args": "*args",
}


@pytest.mark.parametrize(
    "place", ["def {name}({taken}):\n    return {call}\n", "class W:\n    def {name}(self, {taken}):\n        return {call}\n"]
)
@pytest.mark.parametrize("taken", _STARS)
@pytest.mark.parametrize("function", _WRAPPED)
def test_what_is_passed_on_is_not_missing(function: str, taken: str, place: str) -> None:
    name = function.rpartition(".")[2]
    text = "import numpy as np\nimport tensorflow as tf\nimport torch\n\n\n"
    text += place.format(name=name, taken=taken, call=f"{function}({_STARS[taken]})")
    assert not [finding.message for finding in findings(text) if finding.code.startswith("DLT")]
    if place.startswith("def"):
        assert [finding for finding in findings(f"{text}\n\n{name}()\n") if finding.code.startswith(("DLT", "DLA"))]


@pytest.mark.parametrize(
    ("names", "told"), [(("skip",), "when skip is not given"), (("mask", "skip"), "when mask and skip are not given")]
)
def test_what_shows_without_optional_inputs_is_told_with_them(names: tuple[str, ...], told: str) -> None:
    text = _CLASS.format(ins="16 + 8", second="8", test="skip is not None", before="x = nn.Conv2d(3, 16, 1)(x)", name="skip")
    found = findings(text.replace("skip=None", ", ".join(f"{name}=None" for name in names)))
    found = [finding for finding in found if finding.code == "DLT101"]
    assert [finding.message.endswith(told) for finding in found] == [True]
    assert found[0].severity.value == "info"
