"""A number that a condition has asked for, in whatever words, is not known to be reached behind it."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

FUNCTION = """
import torch


def share({total}, other):
    {test}
    return 1 / {total}


share(torch.tensor([[0.0, 0.0], [1.0, 3.0]]).sum(dim=1), torch.ones(2))
"""
SCRIPT = """
import torch

other = torch.ones(2)
{total} = torch.tensor([[0.0, 0.0], [1.0, 3.0]]).sum(dim=1)
{test}
print(1 / {total})
"""
#: Ways to find the elements that are 0, and to ask whether there are any.
FOUND = [
    "empty = torch.nonzero({t} == 0, as_tuple=False).flatten().tolist()",
    "empty = ({t} == 0).nonzero()",
    "where = {t} <= 0\n    empty = torch.where(where)[0]",
    "empty = [place for place, one in enumerate({t}.tolist()) if one == 0]",
    "empty = {t}[{t} == 0]",
]
ASKED = ["if len(empty):", "if len(empty) > 0:", "if not len(empty) == 0:"]
STOPS = ["raise ValueError('empty')", "raise SystemExit(1)"]
NAMES = ["total", "norm"]
#: Conditions on the way that do not ask for the numbers of the divisor.
ASIDE = [
    "if {t}.ndim != 1:",
    "if len({t}) == 0:",
    "if {t}.shape != other.shape:",
    "if {t} is None:",
    "empty = other * 2\n    if len(empty) != len({t}):",
    "empty = torch.nonzero(other == 0)\n    if len(empty):",
    "rows = len({t})\n    if rows > 100:",
    "if not isinstance({t}, torch.Tensor):",
]


def severities(frame: str, test: str, name: str) -> list[Severity]:
    if frame is SCRIPT:
        test = test.replace("\n    ", "\n")
    text = frame.format(total=name, test=test)
    return [finding.severity for finding in findings(text) if finding.code == "DLN102"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("frame", [FUNCTION, SCRIPT], ids=["function", "script"])
@pytest.mark.parametrize("found", FOUND)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.parametrize("name", NAMES)
def test_selected_elements_are_asked_for(frame, found, asked, stops, name):
    body = stops if frame is FUNCTION else "raise SystemExit(1)"
    test = f"{found.format(t=name)}\n    {asked}\n        {body}"
    assert Severity.WARNING not in severities(frame, test, name)


@pytest.mark.parametrize("asked", ["if empty:", "if bool(empty):", "if empty != []:"])
@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_places_is_asked_for(asked, name):
    test = f"{FOUND[0].format(t=name)}\n    {asked}\n        raise ValueError('empty')"
    assert Severity.WARNING not in severities(FUNCTION, test, name)


@pytest.mark.parametrize("frame", [FUNCTION, SCRIPT], ids=["function", "script"])
@pytest.mark.parametrize("test", ASIDE)
@pytest.mark.parametrize("name", NAMES)
def test_other_conditions_change_nothing(frame, test, name):
    test = f"{test.format(t=name)}\n        raise ValueError('wrong')"
    assert severities(frame, test, name) == [Severity.WARNING]
