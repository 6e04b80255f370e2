"""The names under which the user's program keeps what a call gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.source_tree import column_at, tree_of


@lru_cache(maxsize=256)
def bound_words(call: SourcePlace) -> frozenset[str]:
    """The words of the name that a call's result is bound to, in small letters: a variable, attribute, key, keyword argument,
    or the function that returns it. Empty if there is none."""
    tree = tree_of(call.path)
    path = _path(tree, call) if tree is not None else []
    spaced = (re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name) for name in _names(path, call))
    return frozenset(word for name in spaced for word in re.split(r"[^a-z]+", name.lower()) if word)


def _path(tree: ast.AST, call: SourcePlace) -> list[ast.AST]:
    """The nodes from a file to the call at a place, the call first."""
    node, path = tree, [tree]
    while True:
        inner = next((child for child in ast.iter_child_nodes(node) if _holds(child, call)), None)
        if inner is None:
            break
        node = inner
        path.append(node)
    calls = [at for at, item in enumerate(path) if isinstance(item, ast.Call)]
    return path[: calls[-1] + 1][::-1] if calls else []


def _holds(node: ast.AST, call: SourcePlace) -> bool:
    if isinstance(node, ast.keyword | ast.withitem | ast.ExceptHandler | ast.comprehension):
        return any(_holds(child, call) for child in ast.iter_child_nodes(node))
    if not isinstance(node, ast.expr | ast.stmt):
        return False
    first = (node.lineno, column_at(call.path, node.lineno, node.col_offset))
    end_line = node.end_lineno or node.lineno
    last = (end_line, column_at(call.path, end_line, node.end_col_offset or 0))
    return first <= (call.line, call.column) and (call.end_line, call.end_column) <= last


def _names(path: list[ast.AST], call: SourcePlace) -> Iterator[str]:
    """The innermost names."""
    for inner, outer in pairwise(path):
        if isinstance(outer, ast.keyword) and outer.arg is not None:
            yield outer.arg
        elif isinstance(outer, ast.Dict):
            keys = [key for key, value in zip(outer.keys, outer.values, strict=True) if value is inner]
            yield from (str(key.value) for key in keys if isinstance(key, ast.Constant))
        elif isinstance(outer, ast.Assign | ast.AnnAssign):
            yield from _targets(outer, inner, path)
        elif isinstance(outer, ast.Return):
            yield call.function
        else:
            continue
        return


def _targets(statement: ast.Assign | ast.AnnAssign, value: ast.AST, path: list[ast.AST]) -> Iterator[str]:
    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
        bound = target
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            pairs = zip(target.elts, value.elts, strict=False)
            bound = next((one for one, item in pairs if item in path), target)
        yield _text(bound)


def _text(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript):
        return str(target.slice.value) if isinstance(target.slice, ast.Constant) else _text(target.value)
    return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
