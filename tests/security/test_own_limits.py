"""A checkout may lower what its check takes; more is for the user to allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.cli.main import run
from dllint.config.discovery import Configuration
from dllint.config.options import Settings
from dllint.config.read import to_values

LIMITS = ("max-seconds", "max-memory", "max-file-size")
USUAL = Settings()
FILES = ("dllint.toml", ".dllint.toml", "pyproject.toml", "ci.toml")


def usual(name: str) -> int:
    value: int = getattr(USUAL, name.replace("-", "_"))
    return value


def used(settings: Settings, name: str) -> int:
    value: int = getattr(settings, name.replace("-", "_"))
    return value


def write(folder: Path, file: str, text: str) -> Path | None:
    """Write a configuration; the file to name on the command line, if it is not found by itself."""
    (folder / file).write_text(f"[tool.dllint]\n{text}" if file == "pyproject.toml" else text)
    return folder / file if file == "ci.toml" else None


@pytest.fixture(params=[(), (".git",), (".git", "deep"), (".hg", "deep")], ids=["alone", "root", "deep", "deep in hg"])
def folder(request, tmp_path, monkeypatch) -> Path:
    """A folder of a checkout, in the home directory of somebody."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in request.param[:1]:
        (tmp_path / "checkout" / name).mkdir(parents=True)
    folder = tmp_path.joinpath("checkout", *request.param[1:])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.py").write_text("import torch\n\ntorch.ones(3).view(7)\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("factor", [2, 1_000_000])
def test_a_checkout_does_not_raise_its_limits(folder, capfd, file, name, factor):
    given = usual(name) * factor
    named = write(folder, file, f"{name} = {given}\n")
    configuration = Configuration(file=named)
    assert used(configuration.for_file(folder / "a.py"), name) == usual(name)
    (told,) = configuration.refused()
    assert f"{file}: `{name}` = {given} is more than {usual(name)}" in told
    options = ["--config", str(named)] if named else []
    assert run(["check", "-n", *options, "a.py"]) == 1
    assert capfd.readouterr().err.count(f"`{name}` = {given} is more than") == 1


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", LIMITS)
def test_a_checkout_lowers_its_limits(folder, file, name):
    named = write(folder, file, f"{name} = {usual(name) // 2}\n")
    configuration = Configuration(file=named)
    assert used(configuration.for_file(folder / "a.py"), name) == usual(name) // 2
    assert configuration.refused() == []


@pytest.mark.parametrize("how", ["option", "assignment", "file of the user"])
@pytest.mark.parametrize("name", LIMITS)
def test_the_command_line_raises_limits(folder, capfd, tmp_path, name, how):
    write(folder, "dllint.toml", f"{name} = {3 * usual(name)}\n")
    (tmp_path / "mine.toml").write_text(f"{name} = {2 * usual(name)}\n")
    options = {
        "option": [f"--{name}", str(2 * usual(name))],
        "assignment": ["--config", f"{name} = {2 * usual(name)}"],
        "file of the user": ["--config", str(tmp_path / "mine.toml")],
    }
    assert run(["check", "--show-settings", *options[how], "a.py"]) == 0
    out, err = capfd.readouterr()
    assert f"{name} = {2 * usual(name)}" in out.splitlines()
    assert err == ""


@pytest.mark.parametrize("file", FILES[:3])
@pytest.mark.parametrize("name", LIMITS)
def test_a_file_in_the_home_directory_raises_limits(folder, tmp_path, file, name):
    write(tmp_path, file, f"{name} = {2 * usual(name)}\n")
    configuration = Configuration()
    assert used(configuration.for_file(folder / "a.py"), name) == 2 * usual(name)
    assert configuration.refused() == []


@pytest.mark.parametrize("name", LIMITS)
def test_the_settings_of_an_editor_raise_limits(folder, name):
    overrides = to_values({name: 2 * usual(name)}, "the editor setting")
    write(folder, "dllint.toml", f"{name} = {3 * usual(name)}\n")
    configuration = Configuration(overrides=overrides, root=folder)
    assert used(configuration.for_file(folder / "a.py"), name) == 2 * usual(name)
