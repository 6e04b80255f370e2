"""Reading settings: right values arrive, wrong ones are named with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import configure
from dllint.config.errors import ConfigError
from dllint.config.options import Settings, options
from dllint.config.read import read_inline, read_table, to_settings, to_values
from dllint.source.pins.reading import read_text


def settings(text: str) -> Settings:
    return to_settings(read_inline(text), "here", Path("/p"), None)


def test_every_setting_has_a_description_and_an_example_that_is_valid():
    for option in options():
        assert len(option.doc) > 20, option.name
        assert option.attribute in to_values(read_inline(f"{option.name} = {option.example}"), "here")


def test_values_reach_their_attributes():
    found = settings(
        'select = ["DLT", "DLL101"]\nper-file-ignores = {"tests/**" = ["DLS"]}\nseverity = {DLS202 = "info"}\nmax-steps = 7'
    )
    assert found.select == ("DLT", "DLL101")
    assert found.per_file_ignores == (("tests/**", ("DLS",)),)
    assert found.severity == (("DLS202", "info"),)
    assert found.max_steps == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["DLT"]', "here: unknown setting `selct`; did you mean `select`?"),
        ("respect_gitignore = true", "unknown setting `respect_gitignore`; did you mean `respect-gitignore`?"),
        ('select = "DLT"', "`select` must be a list of strings, for example"),
        ('unsafe-fixes = "yes"', "`unsafe-fixes` must be true or false"),
        ("max-steps = 0", "`max-steps` must be a positive integer"),
        ("max-steps = true", "`max-steps` must be a positive integer"),
        ('fail-on = "hint"', "`fail-on` must be one of error, warning, info"),
        ('severity = {DLS202 = "loud"}', "`severity` must be one of error, warning, info, hint"),
        ('per-file-ignores = ["DLS"]', "`per-file-ignores` must be a table"),
    ],
)
def test_a_wrong_setting_is_named(text, message):
    with pytest.raises(ConfigError) as error:
        settings(text)
    assert message in str(error.value)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_nearest_file_wins_without_merging(tmp_path):
    write(tmp_path / "pyproject.toml", '[tool.dllint]\nselect = ["DLT"]\nfail-on = "error"\n')
    write(tmp_path / "package" / "dllint.toml", 'select = ["DLL"]\n')
    write(tmp_path / "package" / "inner" / "pyproject.toml", "[project]\nname = 'no table of ours'\n")
    found = configure([], {}, isolated=False)
    assert found.for_file(tmp_path / "a.py").select == ("DLT",)
    inner = found.for_file(tmp_path / "package" / "inner" / "a.py")
    assert (inner.select, inner.fail_on, inner.root) == (("DLL",), "warning", tmp_path / "package")


def test_a_hidden_file_wins_over_the_plain_one_and_over_pyproject(tmp_path):
    write(tmp_path / "pyproject.toml", '[tool.dllint]\nselect = ["DLT"]\n')
    write(tmp_path / "dllint.toml", 'select = ["DLL"]\n')
    write(tmp_path / ".dllint.toml", 'select = ["DLS"]\n')
    assert configure([], {}, isolated=False).for_file(tmp_path / "a.py").select == ("DLS",)


def test_the_command_line_wins_over_files(tmp_path):
    write(tmp_path / "dllint.toml", 'select = ["DLL"]\nignore = ["DLL101"]\n')
    chosen = configure(['select = ["DLT"]', "max-steps = 5"], {"max_steps": 6}, isolated=False).for_file(tmp_path / "a.py")
    assert (chosen.select, chosen.ignore, chosen.max_steps) == (("DLT",), ("DLL101",), 6)
    assert configure([], {}, isolated=True).for_file(tmp_path / "a.py").select == ()


def test_a_configuration_file_can_be_named(tmp_path):
    write(tmp_path / "dllint.toml", 'select = ["DLL"]\n')
    named = write(tmp_path / "ci.toml", 'select = ["DLS"]\n')
    assert configure([str(named)], {}, isolated=False).for_file(tmp_path / "a.py").select == ("DLS",)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("dllint.toml", "x = [", "is not valid TOML"),
        ("pyproject.toml", "tool.dllint = 3", "`tool.dllint` must be a table"),
        ("dllint.toml", "selct = []", "unknown setting `selct`"),
    ],
)
def test_a_broken_file_is_named(tmp_path, name, text, message):
    path = write(tmp_path / name, text)
    with pytest.raises(ConfigError) as error:
        configure([], {}, isolated=False).for_file(tmp_path / "a.py")
    assert str(path) in str(error.value)
    assert message in str(error.value)


def test_a_missing_named_file_is_an_error():
    with pytest.raises(ConfigError, match=r"cannot read nowhere\.toml"):
        configure(["nowhere.toml"], {}, isolated=False).for_file(Path("a.py"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(
    ("name", "text"), [("pyproject.toml", "[tool.dllint]\nmax-steps = 7\n"), ("dllint.toml", "max-steps = 7\n")]
)
def test_a_byte_order_mark_is_no_mistake(name, text, encoding, tmp_path):
    (tmp_path / name).write_text(text, encoding=encoding)
    assert read_table(tmp_path / name) == {"max-steps": 7}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_pins_in_any_encoding_that_pip_reads(encoding, tmp_path):
    (tmp_path / "requirements.txt").write_text("torch==1.13.1\n", encoding=encoding)
    assert read_text(tmp_path / "requirements.txt") == "torch==1.13.1\n"
