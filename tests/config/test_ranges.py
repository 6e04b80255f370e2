"""Ranges that the configuration states: read exactly, refused with the entry and what would be right."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dllint.config.discovery import configure
from dllint.config.errors import ConfigError
from dllint.config.ranges import as_toml, ranges_in, read_range_file, read_ranges, stated_for
from dllint.config.read import read_inline, to_settings
from dllint.domains.interval import Origin
from dllint.domains.stated import read_interval, written


def table(text: str):
    return read_ranges(read_inline(text), "dir/ranges.toml")


@pytest.mark.parametrize("text", ["[0, 1]", "(0, inf)", "[0, ?)", "(-inf, 1e-05]", "(?, 3]", "[2, 2]"])
def test_an_interval_is_written_as_it_is_read(text):
    assert written(read_interval(text)) == text


def test_ends_are_stated_or_left_open():
    found = read_interval("(0, ?]")
    assert (found.low.origin, found.low.closed, found.high.origin) == (Origin.STATED, False, Origin.UNKNOWN)
    assert found.high.value == math.inf


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0, 1", "is no interval"),
        ("[0; 1]", "is no interval"),
        ("[0, x]", "has the end `x`, which is no number"),
        ("[nan, 1]", "has no number at one of its ends"),
        ("[2, 1]", "is empty: 2 is above 1"),
        ("(1, 1]", "is empty"),
        ("[inf, inf]", "is empty"),
        ("[, 1]", "has the end ``"),
    ],
)
def test_what_is_no_interval_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_interval(text)


def test_names_and_patterns_of_files():
    found = table('x = "[0, 1]"\n"*.gain" = [-1, inf]\n["models/*.py"]\nx = "[0, 255]"')
    assert [(entry.files, entry.name) for entry in found] == [("", "x"), ("", "*.gain"), ("models/*.py", "x")]
    assert found[0].stated.where == "ranges.toml"
    root = Path("/p")
    elsewhere, inside = ranges_in(found, root / "train.py", root), ranges_in(found, root / "models" / "net.py", root)
    assert written(stated_for(elsewhere, ["Net.forward.x", "x"]).interval) == "[0, 1]"
    assert written(stated_for(inside, ["x"]).interval) == "[0, 255]"
    assert written(stated_for(inside, ["Net.gain"]).interval) == "[-1, inf]"
    assert stated_for(inside, ["y"]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('x = "[1, 0]"', r"dir/ranges.toml: the range of `x`: `\[1, 0\]` is empty: 1 is above 0"),
        ("x = 3", "the range of `x`: `3` is no interval; write for example"),
        ("x = [1, true]", "is no interval"),
        ("x = [1, 2, 3]", "is no interval"),
        ('["a/*"]\n["a/*".b]\nx = "[0, 1]"', "the range of `b`"),
    ],
)
def test_a_wrong_entry_is_named(text, message):
    with pytest.raises(ConfigError, match=message):
        table(text)


def test_the_setting_is_a_table():
    with pytest.raises(ConfigError, match="`ranges` must be a table"):
        to_settings({"ranges": ["x"]}, "here", Path("/p"), None)


def test_a_file_of_ranges_comes_after_the_configuration(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.dllint.ranges]\nx = "[0, 1]"\ny = "[0, 1]"\n')
    (tmp_path / "given.toml").write_text('x = "[0, 2]"\n')
    found = configure([], {}, isolated=False, range_files=[str(tmp_path / "given.toml")]).for_directory(tmp_path).ranges
    assert as_toml(found) == '{ "x" = "[0, 2]", "y" = "[0, 1]" }'
    assert stated_for(found, ["x"]).where == "given.toml"


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot read the ranges in"), (b"\xff", "are not valid UTF-8"), (b"x = ", "are not valid TOML")],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path, content, message):
    path = tmp_path / "ranges.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_range_file(path)
