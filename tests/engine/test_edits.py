"""Edits by their place: conflicts, and what lies where afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dllint.edit import Applicability, Edit, Fix, apply_edits
from dllint.engine.edits import Places, compatible

HERE = Path("a.py")


def edit(start: int, end: int, content: str = "") -> Edit:
    return Edit(HERE, start, end, content)


def fix(*edits: Edit) -> Fix:
    return Fix("", edits, Applicability.SAFE)


@st.composite
def some_edits(draw, most=20):
    cuts = sorted(draw(st.sets(st.integers(0, most), min_size=2, max_size=8)))
    return [edit(a, b, draw(st.text("XYZ", max_size=5))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (edit(0, 2), edit(2, 4), False),
        (edit(0, 3), edit(2, 4), True),
        (edit(1, 1, "x"), edit(1, 1, "y"), True),
        (edit(1, 1, "x"), edit(1, 3), True),
        (edit(1, 3), Edit(Path("b.py"), 1, 3, ""), False),
    ],
)
def test_overlap(left, right, expected):
    assert compatible([fix(left), fix(right)]) == [fix(left)] + [fix(right)] * (not expected)
    assert compatible([fix(right), fix(left)]) == [fix(right)] + [fix(left)] * (not expected)


def test_conflicting_fixes_wait_and_shared_edits_do_not_conflict():
    first, second, third = fix(edit(0, 2, "a"), edit(9, 9, "i")), fix(edit(1, 3, "b")), fix(edit(5, 6, "c"), edit(9, 9, "i"))
    assert compatible([first, second, third]) == [first, third]


@given(st.data())
def test_a_place_outside_the_edits_moves_with_its_character(data):
    text = "".join(chr(97 + i) for i in range(20))
    cuts = sorted(data.draw(st.sets(st.integers(0, 20), min_size=2, max_size=6)))
    edits = [edit(a, b, data.draw(st.text("XYZ", max_size=5))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    after, places = apply_edits(text, edits), Places(HERE, edits)
    for offset, char in enumerate(text):
        if not any(e.start <= offset < e.end for e in edits):
            assert after[places.moved(offset)] == char


@given(some_edits(), st.integers(0, 19), st.integers(1, 6))
def test_what_edits_change_is_what_lies_between_their_ends(edits, start, length):
    changed = any(e.start < start + length and start < e.end for e in edits)
    assert Places(HERE, edits).touch(start, start + length) is changed


@given(some_edits(), st.integers(0, 40), st.integers(1, 6))
def test_what_edits_have_written_stands_in_the_new_text(edits, start, length):
    places, after = Places(HERE, edits), apply_edits("." * 20, edits)
    assert ("X" in (part := after[start : start + length]) or "Y" in part or "Z" in part) <= places.wrote(start, start + length)
