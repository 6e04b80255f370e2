"""Replay of the user's own step: the statements of the innermost loop (or function) up to a frame's position.

The statements are compiled under their own file name, lines and columns, so that what is observed during a repetition is at the
right place. They see copies of the frame's names: what they rebind changes nothing outside, what they mutate does.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
from types import CodeType, FrameType
from typing import Any, Final

from dllint.diagnose.source_tree import tree_of

_BATCH: Final = "__dllint_batch__"
_BLOCKS: Final = ("body", "orelse", "finalbody")
_COMPREHENSIONS: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class StepBody:
    """One repetition of a step. ``batch`` is what the loop's target was bound to, where that is known; without it the names
    keep what they are bound to."""

    def __init__(self, code: CodeType, names: dict[str, Any]) -> None:
        self._code = code
        self._names = names

    @classmethod
    def from_frame(cls, frame: FrameType, batch: object = None) -> StepBody | None:
        """The step that a frame is in; ``None`` if its source is not to be had or cannot stand alone."""
        statements = _step_statements(frame, batch is not None)
        if statements is None:
            return None
        try:
            code = compile(_alone(statements), frame.f_code.co_filename, "exec")
        except (SyntaxError, ValueError):
            return None
        return cls(code, {**frame.f_globals, **frame.f_locals, _BATCH: batch})

    def run(self, **names: object) -> dict[str, Any]:
        """Run the statements silently; the names afterwards. What they raise is raised."""
        namespace = {**self._names, **names}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(self._code, namespace)
        return namespace


def is_in_loop(frame: FrameType) -> bool:
    """Whether a frame is inside of a loop of its own function or module, or is that of a comprehension."""
    code = frame.f_code
    if code.co_name in _COMPREHENSIONS:
        return True
    if code.co_name == "<lambda>":
        return False
    tree = tree_of(code.co_filename)
    return tree is not None and _innermost_loop(_scope(tree, code), frame.f_lineno) is not None


def _step_statements(frame: FrameType, rebind: bool) -> list[ast.stmt] | None:
    tree = tree_of(frame.f_code.co_filename)
    if tree is None:
        return None
    scope = _scope(tree, frame.f_code)
    loop = _innermost_loop(scope, frame.f_lineno)
    block = loop.body if loop is not None else scope.body
    statements = _until(block, frame.f_lineno)
    rebinding = _rebinding(loop) if rebind and isinstance(loop, ast.For) else None
    return statements if rebinding is None else [rebinding, *statements]


def _scope(tree: ast.Module, code: CodeType) -> Any:
    """The function (or module) whose code it is."""
    first = code.co_firstlineno
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and node.name == code.co_name:
            starts = [decorator.lineno for decorator in node.decorator_list]
            if first in (node.lineno, *starts):
                return node
    return tree


def _innermost_loop(scope: ast.AST, line: int) -> ast.For | ast.While | None:
    found = None
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)) or not _holds(node, line):
            continue
        inner = _innermost_loop(node, line)
        if inner is not None:
            found = inner
        elif isinstance(node, ast.For | ast.While) and line >= node.body[0].lineno:
            found = node
    return found


def _holds(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is None or last is None or first <= line <= last


def _until(block: list[ast.stmt], line: int) -> list[ast.stmt]:
    """The statements that begin up to a line; a compound statement that holds the line is cut there, too."""
    kept = []
    for statement in block:
        if statement.lineno > line:
            break
        kept.append(_cut(statement, line) if _holds(statement, line) else statement)
    return kept


def _cut(statement: ast.stmt, line: int) -> ast.stmt:
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return statement
    cut = copy.copy(statement)
    for name in _BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and block[0].lineno <= line:
            setattr(cut, name, _until(block, line))
    return cut


def _rebinding(loop: ast.For) -> ast.stmt | None:
    """``target = batch`` for a loop over batches; counting loops are not."""
    target: ast.expr = loop.target
    calls = {node.func.id for node in ast.walk(loop.iter) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    if "range" in calls:
        return None
    if "enumerate" in calls:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        target = target.elts[1]
    assignment = ast.Assign(targets=[target], value=ast.Name(_BATCH, ast.Load()))
    return ast.fix_missing_locations(ast.copy_location(assignment, loop.target))


class _Standalone(ast.NodeTransformer):
    """Replaces statements that are only allowed inside a function."""

    def visit_Return(self, node: ast.Return) -> ast.AST:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        return ast.copy_location(ast.Expr(self.visit(value)), node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        return self.visit(node.value) if node.value is not None else ast.copy_location(ast.Constant(None), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _alone(statements: list[ast.stmt]) -> ast.Module:
    """Statements as a program; a loop of one pass around them lets ``continue`` and ``break`` end it."""
    body = [_Standalone().visit(copy.deepcopy(statement)) for statement in statements] or [ast.Pass()]
    once = ast.For(ast.Name("__dllint_pass__", ast.Store()), ast.Tuple([ast.Constant(0)], ast.Load()), body, [])
    return ast.fix_missing_locations(ast.Module([once], []))
