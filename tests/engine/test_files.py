"""Which files a run checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import configure
from dllint.engine.files import find_files


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ("a.py", "b.txt", "pkg/c.py", "pkg/gen/d.py", "build/e.py", ".venv/f.py", "pkg/data.d/g.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*paths: str, **overrides) -> list[str]:
    result = find_files([Path(path) for path in paths], configure([], overrides, isolated=False))
    return [path.as_posix() for path in result.files]


def test_python_files_below_a_directory_without_the_usual_exclusions(tree):
    assert found(".") == ["a.py", "pkg/c.py", "pkg/data.d/g.py", "pkg/gen/d.py"]


def test_what_macos_keeps_beside_files_is_left_out(tree):
    for name in ("._a.py", "pkg/._c.py"):
        (tree / name).write_bytes(b"\0\5\26\7")
    assert found(".") == ["a.py", "pkg/c.py", "pkg/data.d/g.py", "pkg/gen/d.py"]


def test_a_named_file_is_checked_whatever_it_is(tree):
    assert found("b.txt", "build/e.py", "a.py", "./a.py") == ["b.txt", "build/e.py", "a.py"]


def test_force_exclude_applies_exclusions_to_named_files(tree):
    assert found("build/e.py", "a.py", force_exclude=True) == ["a.py"]


def test_exclusions_match_names_and_paths(tree):
    assert found(".", extend_exclude=("gen", "pkg/data.d")) == ["a.py", "pkg/c.py"]
    assert found(".", exclude=("pkg", ".venv")) == ["a.py", "build/e.py"]


def test_included_patterns(tree):
    assert found(".", include=("*.txt",)) == ["b.txt"]


def test_gitignore_is_respected_in_a_repository(tree):
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("gen/\n*.d\n!pkg/data.d\n")
    (tree / "pkg" / ".gitignore").write_text("c.py\n")
    assert found(".") == ["a.py", "pkg/data.d/g.py"]
    assert found("pkg") == ["pkg/data.d/g.py"]
    assert found(".", respect_gitignore=False) == ["a.py", "pkg/c.py", "pkg/data.d/g.py", "pkg/gen/d.py"]


def test_the_configuration_of_a_subdirectory_excludes_there(tree):
    (tree / "pkg" / "dllint.toml").write_text('extend-exclude = ["gen"]\n')
    assert found(".") == ["a.py", "pkg/c.py", "pkg/data.d/g.py"]


def test_missing_paths_are_told_apart(tree):
    result = find_files([Path("nope.py"), Path("a.py")], configure([], {}, isolated=True))
    assert result.missing == [Path("nope.py")]
    assert result.files == [Path("a.py")]


def test_a_loop_of_links_ends(tree):
    (tree / "pkg" / "loop").symlink_to(tree)
    assert "a.py" in found(".")


@pytest.mark.parametrize("line", ["!", "\\", "name\\"])
def test_lines_of_gitignore_that_mean_nothing_are_passed_by(tree, line):
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text(f"{line}\ngen/\n{line}\n*.d\n")
    assert found(".") == ["a.py", "pkg/c.py"]
