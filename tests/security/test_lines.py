"""Lines of notebooks are read in time that grows with their length."""

from __future__ import annotations

import json
import re
import time

import pytest

from dllint.source import magics
from dllint.source.lines import split_lines
from tests.security.confined import confined, told

_PATTERNS = {name: value for name, value in vars(magics).items() if isinstance(value, re.Pattern)}
_PUMPS = (
    " ", "\t", "_", "a", "a ", "a.", "a,", "a=", "= ", "[", "a[", "'", "a = ", "%", "! ", "?", "(", "pip ", "install ", "\\",
)  # fmt: skip
_STARTS = ("", "a", "a[", "x = ", "%", "!", "pip install ", "%time ", "cd ", "  ", "a\t")


@pytest.mark.parametrize("name", _PATTERNS)
def test_no_pattern_of_a_line_takes_long(name):
    begun = time.process_time()
    for start in _STARTS:
        for pump in _PUMPS:
            line = start + pump * (20_000 // len(pump)) + "\0"
            _PATTERNS[name].fullmatch(line)
            _PATTERNS[name].match(line)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("start", ["a", "a[", "x, "])
def test_no_line_of_a_notebook_holds_up_a_run(tmp_path, start):
    sources = ["import torch\n", "torch.ones(3).view(7)\n", f"{start}{' ' * 300_000}?!\n", "%matplotlib inline\n"]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": sources}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "book.ipynb").write_text(json.dumps(notebook))
    assert "book.ipynb" in told(confined(tmp_path, "check", "-n", ".", seconds=60))


LONG = ("a" * 3_000_000, "a\n" + " " * 3_000_000, "\n" * 1_000_000, "a\r" * 500_000 + "b" * 1_000_000)


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_lines_are_found_quickly(text):
    begun = time.process_time()
    assert "".join(split_lines(text)) == text
    assert time.process_time() - begun < 5


def test_no_number_of_lines_holds_up_a_run(tmp_path):
    sources = ["!ls\n", *(f"x{number} = {number}\n" for number in range(40_000)), "y = x1 ?\n"]
    begun = time.process_time()
    assert magics.translated("".join(sources)) is not None
    assert time.process_time() - begun < 20
