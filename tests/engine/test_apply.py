"""Edits: texts, conflicts and files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dllint.edit import Applicability, Edit, Fix, apply_edits
from dllint.engine.apply import StaleFileError, compatible, moved, overlap, unified, write_atomically

HERE = Path("a.py")


def edit(start: int, end: int, content: str = "") -> Edit:
    return Edit(HERE, start, end, content)


def fix(*edits: Edit) -> Fix:
    return Fix("", edits, Applicability.SAFE)


def test_edits_refer_to_the_original_text():
    assert apply_edits("abcdef", [edit(4, 6, "EF!"), edit(0, 1, ""), edit(2, 2, "-")]) == "b-cdEF!"


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
    assert overlap(left, right) is expected
    assert overlap(right, left) is expected


def test_conflicting_fixes_wait_and_shared_edits_do_not_conflict():
    first, second, third = fix(edit(0, 2, "a"), edit(9, 9, "i")), fix(edit(1, 3, "b")), fix(edit(5, 6, "c"), edit(9, 9, "i"))
    assert compatible([first, second, third]) == [first, third]


@given(st.data())
def test_a_place_outside_the_edits_moves_with_its_character(data):
    text = "".join(chr(97 + i) for i in range(20))
    cuts = sorted(data.draw(st.sets(st.integers(0, 20), min_size=2, max_size=6)))
    edits = [edit(a, b, data.draw(st.text("XYZ", max_size=5))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    after = apply_edits(text, edits)
    for offset, char in enumerate(text):
        if not any(e.start <= offset < e.end for e in edits):
            assert after[moved(offset, edits)] == char


def test_writing_keeps_the_mode_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_atomically(path, b"new", expected=b"old")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o751
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_link_stays_a_link(tmp_path):
    target = tmp_path / "target.py"
    target.write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to(target)
    write_atomically(link, b"new", expected=b"old")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_changed_file_is_not_written(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"someone else's")
    with pytest.raises(StaleFileError):
        write_atomically(path, b"new", expected=b"old")
    assert path.read_bytes() == b"someone else's"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_diff_marks_a_missing_final_newline():
    assert unified("a.py", "x\ny", "x\nz").splitlines()[3:] == [
        " x", "-y", "\\ No newline at end of file", "+z", "\\ No newline at end of file",
    ]  # fmt: skip
