"""Edits of texts, and files that they are written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dllint.edit import Edit, apply_edits
from dllint.engine.apply import StaleFileError, unified, write_atomically

HERE = Path("a.py")


def edit(start: int, end: int, content: str = "") -> Edit:
    return Edit(HERE, start, end, content)


def test_edits_refer_to_the_original_text():
    assert apply_edits("abcdef", [edit(4, 6, "EF!"), edit(0, 1, ""), edit(2, 2, "-")]) == "b-cdEF!"


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
