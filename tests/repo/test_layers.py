"""Imports go only downwards in the table of docs/architecture.md."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.repo.trees import nodes_of, tree_of

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dllint"


@cache
def levels() -> dict[str, int]:
    """The level of each room, as the architecture page says."""
    rows = re.findall(r"^\| (\d+) \| ((?:`\w+` ?)+)\|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    return {room: int(level) for level, rooms in rows for room in re.findall(r"`(\w+)`", rooms)}


def imported_rooms(tree: ast.Module) -> set[str]:
    """The rooms a module imports, wherever the import stands; imports for type checking included."""
    rooms = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if node.module != "dllint" else [f"dllint.{alias.name}" for alias in node.names]
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("dllint.")}
    return rooms - {"__version__"}


def violations(room: str, tree: ast.Module) -> list[str]:
    """The imports of a module of ``room`` that the table forbids."""
    level = levels()
    return [other for other in sorted(imported_rooms(tree) - {room}) if level[other] >= level[room] and level[room] > 0]


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem in levels())


def test_the_table_names_every_room():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    files = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert set(levels()) == rooms | files


def test_imports_go_downwards():
    found = {}
    for path in modules():
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        found[path.relative_to(PACKAGE).as_posix()] = violations(room, tree_of(path))
    assert len(found) > 1000
    assert {file: rooms for file, rooms in found.items() if rooms} == {}


@pytest.mark.parametrize(
    ("room", "source", "expected"),
    [
        ("ops", "from dllint.rules.rule import Rule", ["rules"]),
        ("rules", "def late():\n    import dllint.config.options", ["config"]),
        ("domains", "from dllint import source", ["source"]),
        ("rules", "from dllint.ops.spec import op", []),
    ],
)
def test_the_check_itself_finds_violations(room, source, expected):
    assert violations(room, ast.parse(source)) == expected


#: What runs user code shares nouns and tables with the static half, not its machinery.
DYNAMIC = {
    "diagnose": {
        "span",
        "edit",
        "observation",
        "finding",
        "arrival",
        "domains",
        "page",
        "source",
        "ir",
        "ops",
        "frameworks",
        "config",
    }
}


@pytest.mark.parametrize("room", DYNAMIC)
def test_the_dynamic_half_does_not_use_the_machinery_of_the_static_one(room):
    used = {other for path in (PACKAGE / room).rglob("*.py") for other in imported_rooms(tree_of(path))}
    assert used - {room} <= DYNAMIC[room]
