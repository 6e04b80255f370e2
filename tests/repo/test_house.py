"""House rules that a linter does not know: sizes of files, names, what the repository may refer to."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "dllint").rglob("*.py"))
#: Written by generators, one line per entry.
GENERATED = {"_index.py"}


def tracked() -> list[Path]:
    """The text files of the repository; without git, all files outside hidden and cache directories."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode:
        return [path for path in ROOT.rglob("*") if path.is_file() and not any(part.startswith(".") for part in path.parts)]
    return [ROOT / name for name in listing.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_small_and_says_what_it_is(path):
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert ast.get_docstring(tree)
    assert path.stem not in {"utils", "common", "helpers", "misc"}
    if path.name not in GENERATED:
        assert source.count("\n") <= 500
    if path.name == "__init__.py" and path.parent.name != "dllint":
        assert len(tree.body) == 1, "no code in __init__.py"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_function_is_long(path):
    if path.name in GENERATED:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.body[0].lineno < 60, f"{path.name}: {node.name}"


def test_nothing_refers_to_the_machine_it_was_written_on():
    # Written in pieces, so that this file does not find itself.
    foreign = re.compile("|".join(("/wor" + "k/", r"\.\./sha" + "red", "/ro" + "ot/", "/ho" + r"me/\w+/")))
    found = []
    for path in tracked():
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".cfg", ""} and path.name != "LICENSE":
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in foreign.finditer(text)]
    assert found == []
