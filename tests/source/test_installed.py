"""Python environments are found by their files; whatever these hold, nothing is started and little is read."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from dllint.source.document import Document
from dllint.source.installed import Environment, environment_of
from dllint.source.workspace import Workspace

SITE = "lib/python3.11/site-packages"


def made(folder: Path, *, site: str = SITE, settings: str = "home = /nowhere\n", files: dict[str, str] | None = None) -> Path:
    """An environment in a folder, with files below its ``site-packages``."""
    (folder / site).mkdir(parents=True)
    if settings:
        (folder / "pyvenv.cfg").write_text(settings)
    for name, text in (files or {}).items():
        path = folder / site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def roots(found: Environment | None) -> list[str]:
    assert found is not None
    return list(found.roots)


@pytest.mark.parametrize("site", [SITE, "lib/python3.9/site-packages", "Lib/site-packages", "lib64/python3.12/site-packages"])
@pytest.mark.parametrize("named", ["", "bin/python", "bin/python3.11", "Scripts/python.exe"])
def test_an_environment_is_named_by_its_directory_or_its_interpreter(tmp_path, site, named):
    folder = made(tmp_path / "env", site=site)
    for name in ("bin/python", "bin/python3.11", "Scripts/python.exe"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to("/bin/sh")
    assert roots(environment_of(folder / named, "test")) == [str(folder / site)]


@pytest.mark.parametrize("place", ["", "bin", "missing", "bin/python", "lib"])
def test_what_is_no_environment_is_none(tmp_path, place):
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin" / "python").write_text("")
    assert environment_of(tmp_path / place, "test") is None


def test_of_several_versions_the_one_of_the_interpreter_counts_else_the_newest(tmp_path):
    folder = made(tmp_path / "env", settings="")
    made(folder, site="lib/python3.13/site-packages", settings="")
    for name in ("python3.11", "python3.13"):
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin" / name).write_text("")
    assert roots(environment_of(folder / "bin" / "python3.11", "test")) == [str(folder / SITE)]
    assert roots(environment_of(folder, "test")) == [str(folder / "lib/python3.13/site-packages")]


#: Lines of ``.pth`` files, and whether they add the directory ``{}``.
LINES = {
    "{}": True,
    "  {}  ": True,
    "# {}": False,
    "import sys; sys.path.append('{}')": False,
    "import\tos": False,
    "{}/missing": False,
    "{}\0": False,
    "": False,
}


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(LINES, 2)))
def test_lines_that_name_a_directory_add_it_and_lines_of_code_do_nothing(tmp_path, first, second):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    text = f"{first.format(tmp_path / 'one')}\n{second.format(tmp_path / 'two')}\n"
    folder = made(tmp_path / "env", files={"linked.pth": text})
    wanted = [str(tmp_path / name) for name, line in (("one", first), ("two", second)) if LINES[line]]
    found = environment_of(folder, "test")
    assert found is not None
    assert list(found.linked) == wanted
    assert list(found.roots) == [str(folder / SITE), *wanted]


@pytest.mark.parametrize("line", ["{outside}", "../../../../../outside", "/", "link", "../../../../inside/../../outside"])
def test_without_trust_files_lead_nowhere_outside_of_the_project(tmp_path, line):
    (tmp_path / "outside").mkdir()
    (tmp_path / "project" / "inside").mkdir(parents=True)
    text = f"{line.format(outside=tmp_path / 'outside')}\n{tmp_path / 'project' / 'inside'}\n"
    folder = made(tmp_path / "project" / ".venv", files={"a.pth": text})
    (folder / SITE / "link").symlink_to(tmp_path / "outside")
    found = environment_of(folder, "test", tmp_path / "project")
    assert found is not None
    assert [os.path.realpath(path) for path in found.linked] == [str(tmp_path / "project" / "inside")]
    trusted = environment_of(folder, "test")
    assert trusted is not None
    assert len(trusted.linked) == 2


def test_the_packages_of_the_system_count_only_with_trust(tmp_path):
    base = made(tmp_path / "base", settings="")
    settings = f"home = {base / 'bin'}\ninclude-system-site-packages = true\n"
    folder = made(tmp_path / "project" / ".venv", settings=settings)
    assert roots(environment_of(folder, "test")) == [str(folder / SITE), str(base / SITE)]
    assert roots(environment_of(folder, "test", tmp_path / "project")) == [str(folder / SITE)]


def test_pipes_circles_and_large_files_cost_nothing(tmp_path):
    folder = made(tmp_path / "env", files={"large.pth": f"{tmp_path}\n" * 20_000, "sub/large.py": "x = 1\n" * 400_000})
    os.mkfifo(folder / SITE / "pipe.pth")
    (folder / SITE / "loop").symlink_to(folder / SITE / "loop")
    (folder / SITE / "loop.pth").symlink_to(folder / SITE / "loop.pth")
    os.mkfifo(folder / SITE / "pipe.py")
    (folder / SITE / "many.pth").write_text("\n".join(["."] * 9_000))
    found = environment_of(folder, "test", tmp_path)
    assert found is not None
    assert found.linked == ()
    workspace = Workspace([tmp_path / "project"], installed=found.roots)
    document = Document.from_text(tmp_path / "project" / "a.py", "")
    assert workspace.resolve(document, "pipe") is None
    large = workspace.resolve(document, "sub.large")
    assert large is not None
    assert workspace.document(large) is None


@pytest.mark.parametrize(
    ("source", "module", "level", "target"),
    [
        ("project/train.py", "package", 0, "package/__init__.py"),
        ("project/train.py", "package.part", 0, "package/part.py"),
        ("project/train.py", "space.inner.deep", 0, "space/inner/deep.py"),
        ("project/train.py", "typing", 0, None),
        ("project/train.py", "own", 0, "own.py"),
        ("project/train.py", "missing", 0, None),
        (f"env/{SITE}/package/part.py", "typing", 0, None),
        (f"env/{SITE}/package/part.py", "other", 0, "other.py"),
        (f"env/{SITE}/package/part.py", "own", 0, f"env/{SITE}/own.py"),
        (f"env/{SITE}/package/part.py", "other", 1, "package/other.py"),
    ],
)
def test_an_import_names_a_file_of_a_package(tmp_path, source, module, level, target):
    names = (
        "package/__init__.py", "package/part.py", "package/typing.py", "package/other.py", "other.py", "typing.py", "own.py",
        "space/inner/deep.py",
    )  # fmt: skip
    folder = made(tmp_path / "env", files=dict.fromkeys(names, ""))
    (tmp_path / "project").mkdir()
    for name in ("train.py", "own.py"):
        (tmp_path / "project" / name).write_text("")
    workspace = Workspace([tmp_path / "project"], installed=[str(folder / SITE)])
    found = workspace.resolve(Document.from_text(tmp_path / source, ""), module, level)
    places = [tmp_path / target, folder / SITE / target, tmp_path / "project" / target] if target is not None else [None]
    assert found in places
    if module == "own" and source.startswith("project"):
        assert found == tmp_path / "project" / "own.py"
    assert found is None or workspace.is_installed(found) is str(found).startswith(str(folder))
