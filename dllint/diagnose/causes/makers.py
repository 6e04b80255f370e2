"""The expression that makes a value for one use: followed through names and calls of the user's functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from dllint.diagnose.causes.code import Code

_MOST_TURNS: Final = 8


def maker(codes: Sequence[Code], code: Code, node: ast.expr) -> tuple[Code, ast.expr]:
    """The expression behind a name that is bound once, or behind a call of a function with one ``return``, and its file. What
    is also used elsewhere is not followed: an edit there would change the other uses."""
    for _ in range(_MOST_TURNS):
        found = _behind(codes, code, node)
        if found is None:
            break
        code, node = found
    return code, node


def _behind(codes: Sequence[Code], code: Code, node: ast.expr) -> tuple[Code, ast.expr] | None:
    if isinstance(node, ast.Name):
        value = code.value(node)
        is_bound = value is not None and value is not node and _uses(code, node.id) == 1
        return (code, value) if is_bound and value is not None else None
    name = called(node)
    found = [(one, function) for one in codes for function in _functions(one, name)]
    if len(found) != 1 or sum(_mentions(one, name) for one in codes) != 1:
        return None
    value = _returned(found[0][1])
    return (found[0][0], value) if value is not None else None


def _uses(code: Code, name: str) -> int:
    """How often a file reads a name."""
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) for node in ast.walk(code.tree)
    )


def _mentions(code: Code, name: str) -> int:
    """How often a file reads a function or a method by its name."""
    return _uses(code, name) + sum(isinstance(node, ast.Attribute) and node.attr == name for node in ast.walk(code.tree))


def called(node: ast.expr) -> str:
    """The name of what a call calls: a function, or a method of ``self``."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        is_own = isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
        return node.func.attr if is_own else ""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _functions(code: Code, name: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(code.tree) if isinstance(node, ast.FunctionDef) and node.name == name]


def _returned(function: ast.FunctionDef) -> ast.expr | None:
    """What a function gives back, if one statement says it; not what it merely passes on."""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    return returns[0].value if len(returns) == 1 else None
