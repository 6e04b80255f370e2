"""Expressions that stand in a text: an annotation in quotes, a condition, a part of a file of another tool.

Whoever writes such a text decides how long it is and how deeply it is nested, and parsers follow nesting on the stack of the
process. So what is longer or deeper than people write is none.
"""

from __future__ import annotations

import ast
import warnings
from typing import Final

import libcst as cst

from dllint.source.parse import SyntaxProblem, parse

_LONGEST: Final = 10_000
_DEEPEST: Final = 200


def concrete_expression(text: str) -> cst.BaseExpression | None:
    """The tree of an expression with all its characters; ``None`` if the text is none."""
    module = parse(text.strip()) if len(text) <= _LONGEST else None
    if module is None or isinstance(module, SyntaxProblem) or len(module.body) != 1:
        return None
    line = module.body[0]
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    return small.value if isinstance(small, cst.Expr) else None


def abstract_expression(text: str) -> ast.expr | None:
    """The tree of an expression as the interpreter has it; ``None`` if the text is none."""
    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if _is_shallow(tree) else None


def _is_shallow(tree: ast.expr) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return not level
