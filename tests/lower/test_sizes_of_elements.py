"""Sizes that the elements of an argument tell are others for each element: nothing is proved of two of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

HEAD: Final = "import torch\nfrom torch import nn\n"
#: How sizes come out of an argument, one for each element.
LISTS: Final = (
    "[torch.rand(1, 3, 64 // s, 64 // s) for s in given]",
    "[torch.rand(1, 3, 64 // s, 64 // s) for _, s in zip(range(9), given)]",
    "[torch.rand(1, 3, 64 // s, 64 // s) for _, s in enumerate(given)]",
    "list(torch.rand(1, 3, 64 // s, 64 // s) for s in reversed(given))",
    "[torch.rand(1, 3, 64 // part, 64 // part) for part in map(int, given)]",
)
#: Uses of two elements, of which one is twice as large where the sizes are chosen so.
PAIRS: Final = (
    "out = maps[-1]\n    for one in maps[::-1][1:]:\n        out = nn.functional.interpolate(out, scale_factor=2) + one",
    "return nn.functional.interpolate(maps[0], scale_factor=2) + maps[1]",
    "last = maps.pop()\n    return nn.functional.interpolate(last, scale_factor=2) + maps[-1]",
    "return [nn.functional.interpolate(a, scale_factor=2) + b for a, b in zip(maps, maps[1:])]",
)


def _told(body: str) -> set[str]:
    result = Session(Configuration(isolated=True)).check_bytes(Path("/project/script.py"), (HEAD + body).encode())
    return {finding.code for finding in result.findings if finding.severity in (Severity.ERROR, Severity.WARNING)}


@pytest.mark.parametrize("typed", ["", ": list[int]"])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("made", LISTS)
def test_two_elements_may_fit(made: str, pair: str, typed: str) -> None:
    assert _told(f"def merged(given{typed}):\n    maps = {made}\n    {pair}\n") == set()


def test_one_element_is_compared_with_itself() -> None:
    body = "def merged(given):\n    for s in given:\n        x = nn.Linear(s, 3)(torch.rand(4, 2 * s))\n    return x\n"
    assert _told(body) == {"DLT101"}
