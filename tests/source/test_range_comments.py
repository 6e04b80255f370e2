"""Comments that state ranges: what they say, and that nothing in a comment makes reading them fail otherwise than told."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, strategies

from dllint.domains.stated import read_interval, written
from dllint.source.document import Document
from dllint.source.range_comments import problems, read


def entries(comment: str) -> list[tuple[tuple[str, ...], str]]:
    return [(entry.names, written(entry.interval)) for entry in read(comment)]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# dllint: range x in [0, 1]", [(("x",), "[0, 1]")]),
        ("#dllint:range x in(0,inf)", [(("x",), "(0, inf)")]),
        ("# note  # dllint: range x, self.y in [0, ?)  # dllint: ignore[DLN101]", [(("x", "self.y"), "[0, ?)")]),
        ("# dllint: range x in [0, 1]; y in [1, 2], z in [2, 3]", [(("x",), "[0, 1]"), (("y",), "[1, 2]"), (("z",), "[2, 3]")]),
        ("# dllint: ranges of x are known", []),
        ("# dllint: ignore[DLN101] range x in [0, 1]", []),
        ("# the range of x is [0, 1]", []),
    ],
)
def test_what_a_comment_states(comment, expected):
    assert entries(comment) == expected


@given(strategies.text(alphabet="xy., []()?;#in019-e\t"))
def test_any_comment_is_read_or_refused(text):
    try:
        found = read(f"# dllint: range {text}")
    except ValueError:
        return
    assert all(entry.names for entry in found)


@given(strategies.floats(allow_nan=False), strategies.floats(allow_nan=False))
def test_every_pair_of_numbers_is_an_interval_or_empty(low, high):
    if low > high or (low == high and not math.isfinite(low)):
        with pytest.raises(ValueError, match="is empty"):
            read_interval(f"[{low}, {high}]")
        return
    found = read_interval(f"[{low}, {high}]")
    assert read_interval(written(found)) == found


def test_problems_have_their_line_and_strings_are_no_comments():
    text = 's = "# dllint: range x in 0"\n\ny = 1  # dllint: range y in [1, 0]\n# dllint: range\n'
    found = list(problems(Document.from_text(Path("a.py"), text)))
    assert [line for line, _ in found] == [3, 4]
