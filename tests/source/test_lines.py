"""Offsets, positions and spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dllint.source.lines import Lines, count_breaks, split_lines
from dllint.span import Position

TEXTS = st.text(st.sampled_from("ab\r\n\f\u2028é😀 "), max_size=20)


@given(TEXTS)
def test_lines_join_and_offsets_come_back(text):
    lines = Lines(text)
    assert "".join(split_lines(text)) == text
    assert len(lines.starts) == count_breaks(text) + 1
    for offset in range(len(text) + 1):
        assert lines.offset(lines.position(offset)) == offset


def test_only_python_line_breaks_count():
    assert Lines("a\u2028b\fc\r\nd\re\nf").starts == [0, 7, 9, 11]


@pytest.mark.parametrize(("position", "offset"), [((1, 99), 3), ((9, 1), 3), ((2, 9), 4), ((0, 0), 0)])
def test_places_outside_the_text_are_moved_into_it(position, offset):
    assert Lines("ab\nc").offset(Position(*position)) == offset


def test_columns_count_code_points():
    assert Lines("x = '😀'; y").position(9) == Position(1, 10)
