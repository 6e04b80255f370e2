"""House rules that a linter does not know: sizes of files, names, what the repository may refer to."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.repo.trees import nodes_of, text_of, tree_of

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


def offenders(broken: Callable[[Path], bool], paths: Iterable[Path] = MODULES) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths if broken(path)]


def test_every_module_says_what_it_is():
    assert offenders(lambda path: not ast.get_docstring(tree_of(path))) == []


def test_no_module_has_a_name_that_says_nothing():
    assert offenders(lambda path: path.stem in {"utils", "common", "helpers", "misc"}) == []


def test_modules_are_small():
    assert offenders(lambda path: path.name not in GENERATED and text_of(path).count("\n") > 500) == []


def test_no_code_stands_in_the_file_of_a_package():
    packages = [path for path in MODULES if path.name == "__init__.py" and path.parent.name != "dllint"]
    assert offenders(lambda path: len(tree_of(path).body) != 1, packages) == []


def test_no_function_is_long():
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in MODULES
        if path.name not in GENERATED
        for node in nodes_of(tree_of(path))
        if isinstance(node, functions) and (node.end_lineno or 0) - node.body[0].lineno >= 60
    ] == []


def test_nothing_refers_to_the_machine_it_was_written_on():
    # Written in pieces, so that this file does not find itself.
    foreign = re.compile("|".join(("/wor" + "k/", r"\.\./sha" + "red", "/ro" + "ot/", "/ho" + r"me/\w+/")))
    found = []
    for path in tracked():
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".cfg", ""} and path.name != "LICENSE":
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in foreign.finditer(text)]
    assert found == []


#: The rooms that a check runs through.
_STATIC = {"domains", "ir", "source", "ops", "frameworks", "lower", "analysis", "fixes", "rules", "config", "engine"}


def _tests_a_union(path: Path) -> bool:
    calls = (node for node in nodes_of(tree_of(path)) if isinstance(node, ast.Call) and len(node.args) == 2)
    return any(
        isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass") and isinstance(call.args[1], ast.BinOp)
        for call in calls
    )


def test_kinds_are_tested_against_tuples():
    """``isinstance(x, A | B)`` builds the union each time, which costs several times the test."""
    static = [path for path in MODULES if path.relative_to(ROOT / "dllint").parts[0] in _STATIC]
    assert offenders(_tests_a_union, static) == []
