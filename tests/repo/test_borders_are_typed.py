"""Handlers, properties, natives and operations get any value, and have to ask what it is: nothing they declare is ``Any``,
with which mypy would let them use what they are given."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any, get_args

from dllint.ir.values import AbstractVal, Value
from dllint.ops.all import __name__ as _declares_the_operations
from dllint.ops.spec import OPS, Result
from tests.repo.trees import nodes_of, tree_of

ROOT = Path(__file__).parents[2]
ROOMS = ("dllint/ops", "dllint/frameworks", "dllint/lower/natives")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if path.name != "__init__.py")


def names(path: Path) -> list[str]:
    return [node.id for node in nodes_of(tree_of(path)) if isinstance(node, ast.Name)]


def test_modules_that_get_values_do_not_name_any():
    assert len(MODULES) > 250
    assert [path.relative_to(ROOT).as_posix() for path in MODULES if "Any" in names(path)] == []


def annotations(path: Path) -> set[str]:
    """The names in the annotations of a module's functions."""
    found: set[str] = set()
    for node in nodes_of(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            hints = [arg.annotation for arg in every if arg is not None] + [node.returns]
            found |= {name.id for hint in hints if hint is not None for name in ast.walk(hint) if isinstance(name, ast.Name)}
    return found


def mentions_any(alias: object) -> bool:
    return alias is Any or any(mentions_any(part) for part in flattened(get_args(alias)))


def flattened(parts: tuple[object, ...]) -> list[object]:
    return [inner for part in parts for inner in (part if isinstance(part, list) else [part])]


def test_no_alias_in_a_signature_stands_for_any():
    found = []
    for path in MODULES:
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        aliases = {name: getattr(module, name, None) for name in annotations(path)}
        found += [
            f"{module.__name__}.{name}"
            for name, alias in aliases.items()
            if not isinstance(alias, type) and mentions_any(alias)
        ]
    assert found == []


def test_values_and_results_are_of_known_kinds():
    kinds = get_args(Value)
    assert {Any, object} & set(kinds) == set()
    assert AbstractVal in kinds
    assert Result == Value
    assert _declares_the_operations
    assert len(OPS) > 200


def test_every_parameter_of_an_operation_is_a_tensor_a_flag_or_a_value():
    kinds = {"TensorType", "Flag", "Value"}
    odd = {
        f"{spec.name}.{name}": parameter.annotation
        for spec in OPS.values()
        for name, parameter in spec.parameters.items()
        if parameter.annotation not in kinds
    }
    assert odd == {}
