"""Ranges that comments and the configuration state: they limit what is known, have an origin of their own, and never crash."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dllint.config.discovery import Configuration
from dllint.config.ranges import read_ranges
from dllint.engine.session import Session
from dllint.source.document import Document


def analysed(source: str, **ranges: object):
    path = Path("net.py").absolute()
    configuration = Configuration(isolated=True, ranges=read_ranges(ranges, "ranges.toml"))
    return Session(configuration).analyser(path).analyse(Document.from_text(path, "import torch\n" + dedent(source)))


def lines(source: str, **ranges: object) -> list[tuple[int, str]]:
    found = analysed(source, **ranges).findings
    return [(f.location.span.first.line - 1, f.code) for f in found if f.code.startswith("DLN")]


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):  # dllint: range x in (0, 1]\n    return torch.log(x)",
        "def f(\n    x,  # dllint: range x in (0, 1]\n):\n    return torch.log(x)",
        "def f(\n    # dllint: range x in (0, 1]\n    x,\n    y=1,\n):\n    return torch.log(x)",
        "# dllint: range x in (0, 1]\ndef f(x):\n    return torch.log(x)",
        "def f(x):\n    # dllint: range x in (0, 1]\n    return torch.log(x)",
        "def f(x):\n    return torch.log(x)  # dllint: range x in [0.5, ?)",
        "def f(x, y):\n    x, y = x + 1, y + 1  # dllint: range y, x in (0, 1]\n    return torch.log(x) + torch.log(y)",
        "def f(x):\n    x = g(x)  # dllint: range x in (0, 1]; y in [0, 1]\n    return torch.log(x)",
        "def f(data):\n    for x in data:  # dllint: range x in (0, 1]\n        torch.log(x)",
        "def f(data):\n    # dllint: range x in (0, 1]\n    for x in data:\n        torch.log(x)",
        "def f(data):\n    with data() as x:  # dllint: range x in (0, 1]\n        torch.log(x)",
    ],
)
def test_a_comment_states_the_range_of_a_name(source):
    assert lines(source) == []
    assert analysed(source).notices == []


def test_a_danger_that_is_stated_is_reported():
    source = (
        "def f(x, y):  # dllint: range x in [0, 1], y in [1, 3]\n    return torch.log(x) + torch.log(y) + torch.exp(100 * x)\n"
    )
    assert lines(source) == [(2, "DLN101"), (2, "DLN103")]
    finding = analysed(source).findings[0]
    assert "(values in [0, 1])" in finding.message
    assert finding.related[0].message == "the range [0, 1] of `x` is stated in a comment"
    elsewhere = analysed("def f(rate):\n    return torch.log(torch.relu(rate) * 2)\n", rate=[0, 1]).findings[0]
    assert elsewhere.related[0].message == "the range [0, 1] of `rate` is stated in ranges.toml"


ATTRIBUTE = """
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.ones(1)){comment}

        def forward(self, x):
            return x / self.scale
"""


def test_an_attribute_has_its_range_wherever_it_is_read():
    assert [code for _, code in lines(ATTRIBUTE.format(comment=""))] == ["DLN102"]
    assert lines(ATTRIBUTE.format(comment="  # dllint: range self.scale in (0, inf)")) == []
    assert lines(ATTRIBUTE.format(comment=""), **{"Net.scale": "(0, inf)"}) == []
    assert lines(ATTRIBUTE.format(comment=""), **{"*.scale": "(0, inf)"}) == []
    assert len(lines(ATTRIBUTE.format(comment=""), **{"Other.scale": "(0, inf)"})) == 1


@pytest.mark.parametrize("name", ["x", "f.x", "?"])
def test_the_configuration_names_parameters(name):
    source = "def f(x):\n    return torch.log(x)\n"
    assert lines(source, **{name: "(0, 1]"}) == []
    assert lines(source, **{"g.x": "(0, 1]"}) == [(2, "DLN101")]
    assert lines(source, **{"net.py": {name: "(0, 1]"}}) == []
    assert lines(source, **{"other.py": {name: "(0, 1]"}}) == [(2, "DLN101")]


def test_the_configuration_names_variables():
    source = "def f(batch):\n    rate = batch['rate']\n    return torch.log(rate)\n"
    assert lines(source, rate=[0, 1]) == [(3, "DLN101")]
    assert lines(source, rate=[1, 2]) == []


def test_what_is_stated_only_narrows():
    source = "def f(x):\n    s = torch.sigmoid(x)  # dllint: range s in [-1, 0.5]\n    return torch.log(s), torch.log1p(-s)\n"
    assert {code for _, code in lines(source)} <= {"DLN101", "DLN105"}
    assert "in [0, 0.5]" in str([f.message for f in analysed(source.replace("torch.log(s)", "1 / s")).findings])


def test_a_contradiction_proves_nothing_and_is_told():
    source = "def f(x):\n    s = torch.sigmoid(x)  # dllint: range s in [2, 3]\n    return 1 / (s - s.mean()), 1 / s\n"
    found = analysed(source)
    assert found.findings == []
    (notice,) = found.notices
    assert notice.kind == "ignored"
    assert notice.expected
    assert notice.message.startswith("line 3: the range [2, 3] stated in a comment contradicts [0, 1]")


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("range x in 0..1", "`x in 0..1` states no range; write for example `# dllint: range x in [0, 1]`"),
        ("range", "states no range"),
        ("range x in [1, 0]", "`[1, 0]` is empty: 1 is above 0"),
        ("range x in [a, 0]", "`[a, 0]` has the end `a`, which is no number"),
        ("range x[0] in [0, 1]", "states no range"),
        ("range 3x in [0, 1]", "`3x` is no name"),
        ("range x in [0, 1] y in [0, 1]", "states no range"),
        ("range x in [nan, 1]", "has no number at one of its ends"),
    ],
)
def test_a_comment_that_cannot_be_read_is_told(comment, message):
    found = analysed(f"def f(x):\n    return torch.relu(x)  # dllint: {comment}\n")
    (notice,) = found.notices
    assert message in notice.message
    assert notice.message.startswith("line 3: ")


def test_names_that_are_not_there_and_numbers_say_nothing():
    source = """
        def f(x, n=3):  # dllint: range nothing, self.x, x.y in [0, 1]; n in [5, 6]
            y = 2 * n  # dllint: range y in [0, 1]
            return torch.log(torch.sigmoid(x) + y)
    """
    assert analysed(source).notices == []
    assert lines(source) == []
