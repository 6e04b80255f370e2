"""Notebook cells that IPython takes though they are no Python as they stand: indented as a whole, or automagic."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.source.magics import translated
from dllint.source.notebook import Notebook, cell_range


@pytest.mark.parametrize("margin", [" ", "    ", "\t"])
@pytest.mark.parametrize("body", ["x = 1\ny = x + 1\n", "for i in range(3):\n    print(i)\n", "# note\nx = 1\n"])
def test_a_common_margin_is_left_out(margin: str, body: str) -> None:
    cell = "".join(margin + line for line in body.splitlines(keepends=True))
    found = translated(cell)
    assert found is not None
    compile(found.code, "cell", "exec")
    assert found.restore(found.code) == cell


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("margin", "body"),
    [
        *product(["", " ", "    ", "\t"], ["x = 1\n\ny = x + 1", "for i in range(3):\n    print(i)\n", "# note\nx = 1"]),
        ("", "!ls\nx = 1\n# note"),
        ("", "%time x = 1\ny = x.real\n"),
    ],
)
def test_every_character_is_found_where_it_stands_in_the_cell(margin: str, end: str, body: str) -> None:
    cell = "".join(margin + line for line in body.splitlines(keepends=True)).replace("\n", end)
    notebook = Notebook([(1, "a = 1"), (4, cell), (5, "")])
    found = cell_range(notebook.text, 4)
    assert found is not None
    begin, after = found
    for offset in range(begin, after):
        number, place = notebook.place(offset)
        line = notebook.text[begin:offset].count("\n")
        assert number == 4
        if not body.splitlines()[line].startswith(("!", "%")) and notebook.text[offset] not in "\r\n":
            assert cell[place] == notebook.text[offset]


def test_a_margin_that_only_one_line_has_stays_an_error() -> None:
    found = translated("x = 1\n    y = 2\n")
    assert found is not None
    with pytest.raises(SyntaxError):
        compile(found.code, "cell", "exec")


@pytest.mark.parametrize(
    "line", ["cd data/sets", "cd ..", "cd .", "cd ../data", "ls -l", "mkdir -p out", "rm -rf out", "cat notes.txt"]
)
def test_automagic_is_no_error(line: str) -> None:
    found = translated(f"x = 1\n{line}\ny = 2\n")
    assert found is not None
    compile(found.code, "cell", "exec")
    assert found.restore(found.code) == f"x = 1\n{line}\ny = 2\n"


@pytest.mark.parametrize("line", ["cd = 3", "ls(2)", "cat.x = 1"])
def test_names_like_automagic_are_python(line: str) -> None:
    found = translated(f"{line}\n")
    assert found is not None
    assert found.code == f"{line}\n"
