"""Modules, and the functions and classes that others use, have names from the field rather than words that need a key."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.repo.trees import nodes_of, tree_of

PACKAGE = Path(__file__).parents[2] / "dllint"
#: Say configuration variant, formatted, producer, options, aligned, transfer function, … instead.
RIDDLES = frozenset({"turning", "turn", "turns", "told", "made", "wishes", "beside", "dearest", "taps", "meaning"})


def words(name: str) -> set[str]:
    """The words of ``same_beside`` or ``SameBeside``."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name)}


def named(tree: ast.Module) -> Iterator[str]:
    """The public functions and classes that a module defines, and their fields."""
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (
                part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            )


def riddles(stem: str, tree: ast.Module) -> list[str]:
    """The names of a module that nobody understands who has not been told."""
    return [name for name in (stem, *named(tree)) if not name.startswith("_") and words(name) & RIDDLES]


def test_public_names_are_from_the_field():
    found = {str(path.relative_to(PACKAGE)): riddles(path.stem, tree_of(path)) for path in PACKAGE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_check_itself_finds_riddles():
    source = "class Wishes:\n    told: int\n    def same_beside(self): ...\ndef _made(): ...\ndef laid_out(): ...\n"
    assert riddles("taps", ast.parse(source)) == ["taps", "Wishes", "told", "same_beside"]


def test_files_of_one_subject_are_a_folder():
    """No files of a room begin with one word followed by an underscore, three of them or more."""
    for folder in {path.parent for path in (PACKAGE / "server").rglob("*.py")} | {PACKAGE / "lower"}:
        starts = [path.stem.partition("_")[0] for path in folder.glob("*_*.py") if not path.stem.startswith("_")]
        assert {start for start in starts if starts.count(start) > 2} == set()
