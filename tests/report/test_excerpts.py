"""Excerpts of very long lines: the part that is marked, with what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.report.formats import render
from dllint.report.listing import Listing
from dllint.source.lines import Lines
from dllint.span import Location

PATH = Path("/p/a.py")


def shown(text: str, start: int, stop: int, *fixes: Fix) -> list[str]:
    """The lines of the full format for a finding at some place."""
    place = Location(PATH, Lines(text).span(start, stop))
    found = Finding("DLT105", "reshape", "wrong", Severity.ERROR, Confidence.HIGH, place, fixes=fixes)
    return list(render("full", Listing([found], lambda path, cell: text, base=Path("/p"))))


@pytest.mark.parametrize("before", [0, 50, 700, 900, 5000, 200_000])
@pytest.mark.parametrize("behind", [0, 60, 3000, 200_000])
def test_the_mark_stands_under_what_is_marked(before: int, behind: int) -> None:
    text = "a" * before + "WRONG" + "b" * behind + "\n"
    lines = shown(text, before, before + 5)
    number = next(number for number, line in enumerate(lines) if "WRONG" in line)
    assert lines[number].index("WRONG") == lines[number + 1].index("^")
    assert lines[number + 1].count("^") == 5
    assert max(map(len, lines)) < 1300


@pytest.mark.parametrize("length", [900, 5000, 300_000])
def test_a_long_place_is_shown_by_its_beginning(length: int) -> None:
    lines = shown("x = " + "a" * length + "\n", 4, 4 + length)
    assert any("x = aaa" in line for line in lines)
    assert max(map(len, lines)) < 1300


@pytest.mark.parametrize("before", [10, 5000, 100_000])
def test_the_change_of_a_long_line_is_shown(before: int) -> None:
    text = "a" * before + "old" + "b" * before + "\n"
    lines = shown(text, before, before + 3, Fix("change it", (Edit(PATH, before, before + 3, "new"),), Applicability.SAFE))
    assert any(" - " in line and "old" in line for line in lines)
    assert any(" + " in line and "new" in line for line in lines)
    assert max(map(len, lines)) < 1300
