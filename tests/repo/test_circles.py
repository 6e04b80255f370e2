"""Modules of the interpreter that import each other in a circle: as few as the mutual recursion of Python's meaning needs.

A function outside this recursion takes the record of the interpreter that it uses, or one of the protocols of
``dllint/lower/parts.py``, and not the interpreter.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.trees import nodes_of, tree_of

PACKAGE = Path(__file__).parents[2] / "dllint"
#: The modules of the largest circle in ``dllint/lower``, at run time and with the imports that only types need.
LARGEST = {"run": 9, "types": 17}

#: The functions in ``dllint/lower`` that take the whole interpreter.
TAKING_ALL = 390


def modules(folder: Path) -> dict[str, ast.Module]:
    """The trees of the modules in a folder, by dotted name."""
    out = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = tree_of(path)
    return out


def _for_types(tree: ast.Module) -> set[ast.AST]:
    """What stands under ``if TYPE_CHECKING``."""
    tests = (node for node in nodes_of(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {inner for test in tests for part in test.body for inner in ast.walk(part)}


def imported(tree: ast.Module, known: set[str], *, types: bool) -> Iterator[str]:
    """The known modules that one imports, wherever the import stands."""
    left_out = set() if types else _for_types(tree)
    for node in nodes_of(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from names & known or {node.module} & known


def circle(trees: dict[str, ast.Module], *, types: bool) -> set[str]:
    """The most modules each of which is reached from each other by imports."""
    graph = {name: set(imported(tree, set(trees), types=types)) - {name} for name, tree in trees.items()}
    reached = {name: _reached(graph, name) for name in graph}
    groups = ({other for other in reached[name] if name in reached[other]} for name in graph)
    return max(groups, key=len)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        more = graph[todo.pop()] - found
        found |= more
        todo += more
    return found


@pytest.mark.parametrize("kind", LARGEST)
def test_the_circle_of_the_interpreter_does_not_grow(kind):
    found = circle(modules(PACKAGE / "lower"), types=kind == "types")
    assert len(found) <= LARGEST[kind], sorted(found)


def taking_the_interpreter(tree: ast.Module) -> Iterator[str]:
    """The functions of a module with a parameter that is annotated as the interpreter."""
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef):
            parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            if any(one.annotation is not None and "Interpreter" in ast.unparse(one.annotation) for one in parameters):
                yield node.name


def test_helpers_take_the_part_of_the_interpreter_that_they_use():
    found = {name: list(taking_the_interpreter(tree)) for name, tree in modules(PACKAGE / "lower").items()}
    assert sum(map(len, found.values())) <= TAKING_ALL, found


def test_each_module_of_the_circle_can_be_the_first_to_be_imported():
    names = sorted(circle(modules(PACKAGE / "lower"), types=False))
    forked = (
        "import importlib, os, sys\n"
        "def status(name):\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        importlib.import_module(name)\n"
        "        os._exit(0)\n"
        "    return os.waitpid(child, 0)[1]\n"
        "print(*[name for name in sys.argv[1:] if status(name)])\n"
    )
    run = subprocess.run([sys.executable, "-c", forked, *names], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert run.stdout.split() == [], run.stderr


def test_the_interpreter_itself_is_in_no_circle():
    assert "dllint.lower.machine" not in circle(modules(PACKAGE / "lower"), types=False)


def test_the_check_itself_finds_functions_that_take_the_interpreter():
    text = "def a(m: Interpreter): ...\ndef b(m: Control): ...\ndef c(x, *, m: 'Interpreter | None'): ...\n"
    assert list(taking_the_interpreter(ast.parse(text))) == ["a", "c"]


def test_the_check_itself_finds_circles():
    texts = {
        "a": "from dllint import b\nimport b\n",
        "b": "def late():\n    import c\n",
        "c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import x\n",
        "d": "import a\n",
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    assert circle(trees, types=True) == {"a", "b", "c"}
    assert len(circle(trees, types=False)) == 1
