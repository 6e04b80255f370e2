"""A constructor that takes elements out of its ``**options`` or ``*args`` is given some: it is not run without."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

TEXT = """
import torch
from torch import nn

class Base(nn.Module):
    def __init__(self, *, dim, classes=10):
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, dim))
        self.head = nn.Linear(dim, classes)

class Model(Base):
    def __init__(self, {parameters}):
        {body}

    def forward(self, x, mask=None):
        a, b, c = self.token.squeeze(0).shape
        return self.head(x)
"""
#: What cannot do without further arguments.
NEEDED = {
    "subscript": ("**kw", "super().__init__(**kw)\n        self.dim = kw['dim']"),
    "before": ("**options", "width = options['dim']\n        super().__init__(**options)\n        self.half = width // 2"),
    "pop": ("**kw", "width = kw.pop('dim')\n        super().__init__(dim=width, **kw)"),
    "both": ("*args, **kw", "super().__init__(*args, **kw)\n        self.args = args\n        self.size = kw['dim']"),
    "place": ("*args", "width = args[0]\n        super().__init__(dim=width)"),
}


@pytest.mark.parametrize(("parameters", "body"), NEEDED.values(), ids=NEEDED)
def test_what_every_caller_meets_is_told_without_a_condition(parameters: str, body: str) -> None:
    found = [finding for finding in findings(TEXT.format(parameters=parameters, body=body)) if finding.code == "DLT109"]
    assert len(found) == 1
    assert "when" not in found[0].message


#: What is not known if further arguments are given.
OPEN = {
    "subscript": ("**kw", "super().__init__(dim=kw['width'])\n        self.pool = nn.Linear(8, kw['width'])"),
    "pop": ("**kw", "super().__init__(dim=kw.pop('width'))\n        self.pool = nn.Linear(8, kw.pop('out', 4))"),
}


@pytest.mark.parametrize(("parameters", "body"), OPEN.values(), ids=OPEN)
def test_nothing_is_invented_for_them(parameters: str, body: str) -> None:
    text = (
        TEXT.format(parameters=parameters, body=body)
        .replace("a, b, c", "a, b")
        .replace("self.head(x)", "self.head(self.pool(x))")
    )
    told = [finding for finding in findings(text) if finding.code.startswith("DLT")]
    assert [finding.message for finding in told if finding.severity is not Severity.HINT] == []


#: What works without.
ALONE = {
    "asked": ("**kw", "kw['dim'] = 8\n        super().__init__(**kw)"),
    "guarded": ("**kw", "width = kw['dim'] if 'dim' in kw else 8\n        super().__init__(dim=8)\n        self.width = width"),
    "handed on": ("**kw", "super().__init__(dim=8, **kw)"),
}


@pytest.mark.parametrize(("parameters", "body"), ALONE.values(), ids=ALONE)
def test_a_constructor_that_needs_none_is_run_as_it_is(parameters: str, body: str) -> None:
    text = (
        TEXT.format(parameters=parameters, body=body)
        + "\nclass Head(Model):\n    def forward(self, x):\n        return self.head(torch.ones(2, 9))\n"
    )
    assert [finding.code for finding in findings(text) if finding.code == "DLT101"] == ["DLT101"]
