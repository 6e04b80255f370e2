"""Each configuration is read, and its selectors resolved, once for a check, whatever asks for the settings of a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dllint.config import discovery
from dllint.config.discovery import Configuration, configure
from dllint.config.selection import Catalogue
from dllint.engine.files import find_files
from dllint.engine.run import FixMode, Plan, check_files
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.messages import Buffer, FolderOptions
from dllint.server.pages import Pages

FIXABLE = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        self.body = nn.Linear(8, 2)

    def forward(self, x):
        return self.body(x)

Net()(torch.zeros(2, 9))
"""
#: Two configurations; the first one holds for files in three folders.
TREE = {
    "dllint.toml": 'ignore = ["DLS202"]\nunfixable = ["DLA"]\n',
    "a.py": FIXABLE,
    "b.py": FIXABLE,
    "models/c.py": FIXABLE,
    "models/parts/d.py": FIXABLE,
    "inner/pyproject.toml": '[tool.dllint]\nselect = ["DLT", "DLL"]\nfixable = ["DLT", "DLL"]\nunfixable = ["DLT101"]\n',
    "inner/e.py": FIXABLE,
    "inner/parts/f.py": FIXABLE,
}
FILES = {path for path in TREE if path.endswith(".py")}


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def work(monkeypatch):
    """How often each step of resolving settings is done, by its name and what it is done for."""
    done: Counter[tuple[str, str]] = Counter()

    def counted(owner, name, subject):
        original = getattr(owner, name)

        def counting(*arguments, **named):
            done[name, str(subject(*arguments, **named))] += 1
            return original(*arguments, **named)

        monkeypatch.setattr(owner, name, counting)

    counted(discovery, "_settings_in", lambda directory: directory)
    counted(discovery, "read_table", lambda path: path)
    counted(discovery, "to_settings", lambda table, where, *rest: where)
    counted(discovery, "confined", lambda settings, *rest: settings.origin)
    counted(Catalogue, "select", lambda catalogue, settings: settings.origin)
    counted(Catalogue, "codes_of", lambda catalogue, selectors, where: (where, tuple(selectors)))
    return done


def configurations(project: Path, kind: str) -> Configuration:
    """The usual search, one named file, or no file at all."""
    named = [str(project / "dllint.toml")] if kind == "named" else []
    return configure(named, {}, isolated=kind == "isolated")


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("mode", FixMode)
@pytest.mark.parametrize(("kind", "number"), [("found", 2), ("named", 1), ("isolated", 1)])
def test_a_check_resolves_each_configuration_once(project, work, kind, number, mode, cache):
    configuration = configurations(project, kind)
    found = find_files([Path()], configuration)
    assert {path.as_posix() for path in found.files} == FILES
    results = check_files(found.files, Plan(configuration, mode, 1, cache=cache), lambda: None)
    assert sum(len(result.findings) + result.fixed.total() for result in results) >= len(FILES)
    assert not [step for step, times in work.items() if times > 1]
    steps = Counter(name for name, _ in work)
    assert steps["select"] == number
    assert steps["read_table"] == steps["to_settings"] == steps["confined"] == (number if kind != "isolated" else 0)
    assert bool(steps["codes_of"]) == (mode is not FixMode.OFFER)


def test_files_of_one_configuration_share_their_settings(project):
    for kind, number in (("found", 2), ("named", 1), ("isolated", 1)):
        configuration = configurations(project, kind)
        assert len({id(configuration.for_file(project / name)) for name in FILES}) == number


def test_an_editor_resolves_a_configuration_once_until_it_changes(project, work, tmp_path):
    analyst = Analyst(lambda: None, Pages(tmp_path / "pages"), Attempts(pytest.fail))
    folders = [FolderOptions(None), FolderOptions(project)]
    analyst.configure(folders)
    for version in (1, 2, 3):
        for name in sorted(FILES):
            path = project / name
            analyst.buffer(Buffer(path, version, FIXABLE + f"# {version}\n"))
            checked, _ = analyst.check(path)
            assert checked.findings
            assert analyst.prove(path, version, range(len(checked.findings))).fixes is not None
            assert analyst.fix_all(path, version) is not None
    assert not [step for step, times in work.items() if times > 1]
    assert Counter(name for name, _ in work)["select"] == 2
    work.clear()
    (project / "dllint.toml").write_text('ignore = ["ALL"]\n')
    analyst.configure(folders)
    analyst.buffer(Buffer(project / "a.py", 4, FIXABLE))
    assert not analyst.check(project / "a.py")[0].findings
    assert set(work.values()) == {1}
