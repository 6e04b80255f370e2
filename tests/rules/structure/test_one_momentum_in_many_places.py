"""The same momentum at several places of a file is one finding, whose fix mends all of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Finding

START: Final = "import torch\nfrom torch import nn\n\nRATE = 0.97\n"
#: Ways to give the momentum.
GIVEN: Final = ("momentum=0.97", "1e-5, 0.97", "1e-5, momentum=RATE", "1e-5, RATE")
PLACES: Final = {
    "lines": "{a}\n{b}\n{c}\n",
    "function": "def make():\n    first = {a}\n    return nn.Sequential(first, {b}, {c})\n\n\nmake()\n",
    "class": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a, self.b = {a}, {b}\n"
    "        self.c = {c}\n\n\nNet()\n",
}


def told(text: str, folder: Path) -> list[Finding]:
    path = folder / "main.py"
    path.write_text(text)
    session = Session(Configuration(isolated=True, overrides={"select": ("DLS210",)}))
    return list(session.check_file(path).findings)


@pytest.mark.parametrize(("given", "places"), list(product(GIVEN, PLACES)))
def test_one_finding_for_all_places(given: str, places: str, tmp_path: Path) -> None:
    calls = {name: f"nn.BatchNorm{number}d(8, {given})" for number, name in enumerate("abc", 1)}
    (finding,) = told(START + PLACES[places].format(**calls), tmp_path)
    assert finding.message.endswith(", and so at 2 more places")
    assert [len(fix.edits) for fix in finding.fixes] == [3]
    assert len({place.location for place in finding.related}) == 2


def test_other_numbers_are_told_of_their_own(tmp_path: Path) -> None:
    text = START + "".join(f"nn.BatchNorm2d(8, momentum={number})\n" for number in (0.99, 0.9, 0.99, 0.1))
    assert [(finding.location.span.first.line, "one more place" in finding.message) for finding in told(text, tmp_path)] == [
        (5, True),
        (6, False),
    ]


def test_a_place_that_is_left_out_by_a_comment_does_not_count(tmp_path: Path) -> None:
    call = "nn.BatchNorm2d(8, momentum=0.99)"
    (finding,) = told(f"{START}{call}  # dllint: ignore[DLS210]\n{call}\n", tmp_path)
    assert (finding.location.span.first.line, "more" in finding.message) == (6, False)
