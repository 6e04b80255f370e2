"""Data that is nested more deeply than any reader goes costs only the file that it stands in."""

from __future__ import annotations

import sqlite3
import zlib

import pytest

from tests.security.confined import confined, told

FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
DEEP = 100_000
LISTS = "[" * DEEP + "]" * DEEP
TABLES = "".join('{"a":' for _ in range(DEEP)) + "1" + "}" * DEEP
SHAPES = {"lists": LISTS, "tables": TABLES, "open": "[" * DEEP, "inline tables": "{a=" * DEEP + "1" + "}" * DEEP}


@pytest.fixture
def project(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text(FAULTY)
    return tmp_path


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "name", ["pyproject.toml", "uv.lock", "poetry.lock", "Pipfile", "Pipfile.lock", "book.ipynb", "pdm.lock"]
)
def test_files_of_other_tools_are_passed_by(project, name, shape):
    (project / name).write_text(f"x = {SHAPES[shape]}\n" if name.endswith(("toml", "lock", "file")) else SHAPES[shape])
    assert "DLT105" in told(confined(project, "check", "-n", "."))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["dllint.toml", ".dllint.toml", "pyproject.toml", "--ranges", "--baseline", "--config"])
def test_a_file_that_the_user_counts_on_is_named(project, name, shape):
    own = name if not name.startswith("-") else "own.file"
    text = SHAPES[shape]
    (project / own).write_text(text if name == "--baseline" else f"[tool.dllint]\nx = {text}\n")
    options = (name, own) if name.startswith("-") else ()
    done = confined(project, "check", "-n", *options, ".")
    assert own in told(done)
    assert done.status == 2


@pytest.mark.parametrize("content", [zlib.compress(LISTS.encode()), zlib.compress(b"\0" * 10_000_000), b"", b"x", None, 1.5])
def test_a_damaged_result_is_found_anew(project, content):
    first = told(confined(project, "check", "."))
    (database,) = (project / ".dllint_cache").glob("results-*.sqlite")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE results SET content = ?", (content,))
    connection.close()
    assert told(confined(project, "check", ".")) == first


#: How much deeper the chains stand than the top level.
INDENTED = {
    "at the top": ("", ""),
    "in a function": ("def f(a):\n", "    "),
    "after tabs": ("def f(a):\n", "\t"),
    "in a method in a loop": ("class Net:\n  def f(self, a):\n    for _ in a:\n", "      "),
}


@pytest.mark.parametrize("ending", ["pass", "return 1", "a = 1"])
@pytest.mark.parametrize("indented", INDENTED)
def test_a_long_chain_of_alternatives_costs_only_its_own_file(project, indented, ending):
    """Python itself does not compile so many: the file is said to be left out, for its depth or for the memory that such depth
    takes, and the other file is checked."""
    head, indent = INDENTED[indented]
    ending = ending if indented != "at the top" else ending.replace("return 1", "b = 1")
    chain = "".join(f"{indent}elif a == {i}: {ending}\n" for i in range(30_000))
    (project / "chain.py").write_text(
        f"import torch\na = 1\n{head}{indent}if a == -1: {ending}\n{chain}torch.ones(3).view(7)\n"
    )
    out = told(confined(project, "check", "-n", "--output-format", "concise", "."))
    assert "a.py:3:1: DLT105" in out
    assert "chain.py" in out
    assert "nested too deeply" in out or "needs more memory than there is" in out
