"""Where the value of a name was computed that a running call uses: the line of the loss behind ``loss.backward()``."""

from __future__ import annotations

import ast
from functools import lru_cache

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.source_tree import column_at, tree_of


@lru_cache(maxsize=256)
def receiver_origin(call: SourcePlace) -> SourcePlace:
    """For a method call on a name, the expression last assigned to that name before the call in the same function; else the
    call itself. ``scaler.scale(loss).backward()`` and ``(loss / n).backward()`` lead to ``loss``."""
    tree = tree_of(call.path)
    receiver = _receiver(tree, call) if tree is not None else None
    if tree is None or receiver is None:
        return call
    scope = _enclosing(tree, call.line)
    for name in _names(receiver):
        values = [value for value in _assigned(scope, name) if value.lineno < call.line]
        if values:
            return _place(max(values, key=lambda value: (value.lineno, value.col_offset)), call)
    return _place(receiver, call)


def _receiver(tree: ast.Module, call: SourcePlace) -> ast.expr | None:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or (node.lineno, node.end_lineno) != (call.line, call.end_line):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "backward":
            return node.func.value
    return None


def _names(receiver: ast.expr) -> list[str]:
    """The names a loss may be made of: of a call's arguments rather than of what is called."""
    roots: list[ast.expr] = receiver.args if isinstance(receiver, ast.Call) and receiver.args else [receiver]
    return [node.id for root in roots for node in ast.walk(root) if isinstance(node, ast.Name)]


def _enclosing(tree: ast.Module, line: int) -> ast.AST:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    holding = [n for n in ast.walk(tree) if isinstance(n, functions) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    return max(holding, key=lambda node: node.lineno, default=tree)


def _assigned(scope: ast.AST, name: str) -> list[ast.expr]:
    """The values that plain assignments give a name."""
    found = []
    for node in ast.walk(scope):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None and any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found.append(value)
    return found


def _place(node: ast.expr, call: SourcePlace) -> SourcePlace:
    end_line = node.end_lineno or node.lineno
    return SourcePlace(
        call.path,
        node.lineno,
        column_at(call.path, node.lineno, node.col_offset),
        end_line,
        column_at(call.path, end_line, node.end_col_offset or 0),
        call.function,
    )
