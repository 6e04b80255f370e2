"""Which environment goes with a file: who is asked first, and what a checkout may not say."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.config.errors import ConfigError

#: Who names an environment, in the order in which they are asked.
VOICES = ("--python", "`python`", "the editor", "VIRTUAL_ENV", "CONDA_PREFIX", ".venv")


def made(folder: Path) -> Path:
    (folder / "lib/python3.11/site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /nowhere\n")
    return folder


def chosen(project: Path, environments: Environments | None, file: str = "pkg/a.py") -> tuple[str, str] | None:
    """Who named the environment of a file, and which it is."""
    found = Configuration(root=project, environments=environments).for_file(project / file).environment
    return None if found is None else (found.named_by, Path(found.prefix).name)


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "project" / "pkg").mkdir()
    return tmp_path / "project"


@pytest.mark.parametrize("voices", [v for n in range(len(VOICES) + 1) for v in itertools.combinations(VOICES, n)])
def test_the_first_who_names_one_is_heard(tmp_path, project, voices):
    named = {voice: made(tmp_path / f"env{number}") for number, voice in enumerate(VOICES)}
    named["`python`"] = made(project / "env1")
    if "`python`" in voices:
        (project / "dllint.toml").write_text('python = "env1"\n')
    if ".venv" in voices:
        (project / ".venv").symlink_to(named[".venv"])
    given = {voice: str(named[voice]) for voice in voices}
    variables = {voice: given[voice] for voice in ("VIRTUAL_ENV", "CONDA_PREFIX") if voice in given}
    found = chosen(project, Environments(given.get("--python", ""), given.get("the editor", ""), variables))
    name = ".venv" if voices[:1] == (".venv",) else f"env{VOICES.index(voices[0])}" if voices else ""
    assert found == ((voices[0], name) if voices else None)


@pytest.mark.parametrize("where", ["none", "option"])
def test_none_is_used_where_none_is_wanted(tmp_path, project, where):
    made(project / ".venv")
    if where == "none":
        (project / "dllint.toml").write_text('python = "none"\n')
    environments = Environments("none" if where == "option" else "", "", {"VIRTUAL_ENV": str(made(tmp_path / "env"))})
    assert chosen(project, environments) is None
    assert chosen(project, None) is None


@pytest.mark.parametrize("voice", VOICES)
def test_the_environment_of_dllint_itself_counts_only_by_name(monkeypatch, tmp_path, project, voice):
    own = made(project / (".venv" if voice in (".venv", "`python`") else "own"))
    monkeypatch.setattr(sys, "prefix", str(own))
    if voice == "`python`":
        (project / "dllint.toml").write_text('python = ".venv"\n')
    variables = {voice: str(own)} if voice.isupper() else {}
    named = str(own) if voice == "--python" else ""
    found = chosen(project, Environments(named, str(own) if voice == "the editor" else "", variables))
    assert (found is not None) is (voice in ("--python", "`python`"))


@pytest.mark.parametrize(
    ("place", "repository", "wanted"),
    [
        ("pkg", True, True),
        (".", True, True),
        ("..", True, False),
        ("pkg", False, True),
        ("..", False, False),
    ],
)
def test_it_is_looked_for_above_the_file_up_to_the_repository(tmp_path, place, repository, wanted):
    project = tmp_path / "project"
    (project / "pkg").mkdir(parents=True)
    if repository:
        (project / ".git").mkdir()
    made(project / place / ".venv")
    assert (chosen(project, Environments(variables={})) is not None) is wanted


def test_files_of_one_repository_may_have_different_ones(project):
    for name in ("one", "two"):
        made(project / name / ".venv")
    configuration = Configuration(root=project, environments=Environments(variables={}))
    found = [configuration.for_file(project / name / "a.py").environment for name in ("one", "two", "pkg")]
    prefixes = [environment and Path(environment.prefix).parent.name for environment in found]
    assert prefixes == ["one", "two", None]


def test_what_the_user_names_must_be_one(project):
    with pytest.raises(ConfigError, match="names no Python environment"):
        chosen(project, Environments(str(project / "missing")))


def test_what_a_file_names_and_is_none_is_told(project):
    (project / "dllint.toml").write_text('python = "missing"\n')
    configuration = Configuration(root=project, environments=Environments(variables={}))
    assert configuration.for_file(project / "a.py").environment is None
    assert any("`python` names" in text and "no Python environment" in text for text in configuration.refused())


@pytest.mark.parametrize("named", ["../env", "{outside}", "link", "pkg/../../env"])
def test_a_checkout_names_none_outside(tmp_path, project, named):
    outside = made(tmp_path / "env")
    (project / "link").symlink_to(outside)
    (project / "dllint.toml").write_text(f"python = '{named.format(outside=outside)}'\n")
    configuration = Configuration(root=project, environments=Environments(variables={}))
    assert configuration.for_file(project / "a.py").environment is None
    assert any("lies outside of the project" in text for text in configuration.refused())
