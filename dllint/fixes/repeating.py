"""Whether an expression of one statement means the same when it is written again in a later one."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Final

import libcst as cst

from dllint.fixes.places import inner, line_start, next_line, own_indentation
from dllint.ir.program import Op
from dllint.source.lines import searchable
from dllint.source.parse import SyntaxProblem, parse
from dllint.source.walk import walk

#: What an expression may consist of to be computed twice at no cost and with the same result.
_PLAIN: Final = (cst.Name, cst.Attribute, cst.Integer, cst.Float, cst.UnaryOperation, cst.Minus, cst.Tuple, cst.Element)


def means_the_same(node: cst.CSTNode, first: Op, later: Op) -> bool:
    """Whether ``node``, an expression in the statement of ``first``, has the same value in the statement of ``later``: both are
    one, or they stand in one block and nothing in between changes a name of it."""
    one, two = first.site, later.site
    if one.document is not two.document or one.caller is not two.caller:
        return False
    if one.statement is two.statement:
        return True
    if not all(isinstance(part, _PLAIN) for part in walk(node)):
        return False
    names = {part.value for part in walk(node) if isinstance(part, cst.Name)}
    between = _between(first, later)
    return between is not None and not names & between


def _between(first: Op, later: Op) -> frozenset[str] | None:
    """The names that may change from one statement to a later one of the same block; ``None`` if it is none."""
    document = first.site.document
    start, stop = (inner(op.site, op.site.statement)[0] for op in (first, later))
    margin = own_indentation(document, start)
    if start >= stop or margin is None or margin != own_indentation(document, stop):
        return None
    text = document.text[line_start(document, start) : next_line(document, inner(later.site, later.site.statement)[1])]
    if not all(line.startswith(margin) or not line.strip() for line in text.splitlines()):
        return None
    return _names_changed(textwrap.dedent(searchable(text)))


@lru_cache(maxsize=256)
def _names_changed(text: str) -> frozenset[str] | None:
    """The names that all statements of a block but the last may change; ``None`` if the text is none."""
    block = parse(text)
    if isinstance(block, SyntaxProblem):
        return None
    parts = (part for statement in block.body[:-1] for part in walk(statement) if type(part) in _CHANGING)
    return frozenset(name for part in parts for name in _changed(part))


#: The kinds of nodes that can bind or change a name.
_CHANGING: Final = frozenset({
    cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor, cst.AsName, cst.Del, cst.Call,
})  # fmt: skip


def _changed(node: cst.CSTNode) -> list[str]:
    """The names that a node binds or changes."""
    if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor)):
        target = node.target
    elif isinstance(node, cst.AsName):
        target = node.name
    elif isinstance(node, cst.Del):
        target = node.target
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value.endswith("_"):
        target = node.func.value  # a method that works in place
    else:
        return []
    return [part.value for part in walk(target) if isinstance(part, cst.Name)]
