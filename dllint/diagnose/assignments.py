"""Finds the expression that computed a variable's current value: the line of the loss behind ``loss.backward()``."""

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


@lru_cache(maxsize=256)
def argument_of(call: SourcePlace, function: str, position: int, keyword: str) -> SourcePlace | None:
    """The argument of a call to ``function`` (a name or the last part of one) at a place; ``None`` if it is not to be found."""
    found = argument_at(call, function, position, keyword)
    return _place(found, call) if found is not None else None


def argument_at(call: SourcePlace, function: str, position: int, keyword: str) -> ast.expr | None:
    """The same as a node of the file's tree."""
    tree = tree_of(call.path)
    for node in _calls(tree, call) if tree is not None else ():
        if (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) == function:
            named = [item.value for item in node.keywords if item.arg == keyword]
            return next(iter(named or node.args[position : position + 1]), None)
    return None


def argument_origin(call: SourcePlace, function: str, position: int, keyword: str) -> SourcePlace:
    """For a call to ``function``, the expression last assigned to the name that is its argument; else the argument or the call
    itself. ``tape.gradient(loss, weights)`` leads to ``loss``."""
    tree, argument = tree_of(call.path), argument_of(call, function, position, keyword)
    if tree is None or argument is None:
        return call
    node = next((node for node in ast.walk(tree) if isinstance(node, ast.Name) and _place(node, call) == argument), None)
    values = [value for value in _assigned(_enclosing(tree, call.line), node.id) if value.lineno <= call.line] if node else []
    return _place(max(values, key=lambda value: (value.lineno, value.col_offset)), call) if values else argument


def _calls(tree: ast.Module, call: SourcePlace) -> list[ast.Call]:
    """The calls on exactly the lines of a place."""
    lines = (call.line, call.end_line)
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and (node.lineno, node.end_lineno) == lines]


def _receiver(tree: ast.Module, call: SourcePlace) -> ast.expr | None:
    for node in _calls(tree, call):
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
