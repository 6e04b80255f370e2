"""Edits of calls and expressions."""

from __future__ import annotations

from typing import Any

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.places import inner, outer, parent, replacing
from dllint.ir.program import Site
from dllint.source.expressions import abstract_expression, concrete_expression

_LOOSE = (cst.BinaryOperation, cst.BooleanOperation, cst.Comparison, cst.UnaryOperation, cst.IfExp, cst.Lambda, cst.Await)
_BARE = (cst.Tuple, cst.NamedExpr, cst.Yield, cst.GeneratorExp)


@builder
def replace_callee(site: Site, call: cst.Call, text: str) -> tuple[Edit, ...]:
    """``old(…)`` becomes ``text(…)``."""
    return (replacing(site, *outer(site, call.func), text),)


@builder
def replace_expression(site: Site, node: Any, text: str) -> tuple[Edit, ...]:
    """The expression becomes ``text``, in parentheses where its place needs them."""
    if not node.lpar and _needs_parentheses(concrete_expression(text), parent(site.statement, node)):
        text = f"({text})"
    return (replacing(site, *inner(site, node), text),)


@builder
def assign_result(site: Site, target: str) -> tuple[Edit, ...]:
    """The site's expression, a statement of its own, is assigned to ``target``."""
    start, _ = outer(site, site.node)
    return (replacing(site, start, start, f"{target} = "),)


@builder
def wrap(site: Site, node: cst.CSTNode, function: str, arguments: str = "") -> tuple[Edit, ...]:
    """``node`` becomes ``function(node)``, or ``function(node, arguments)``."""
    start, end = outer(site, node)
    bare = isinstance(node, _BARE) and not node.lpar
    opening, closing = ("((", "))") if bare else ("(", ")")
    if arguments:
        closing = f"{closing[:-1]}, {arguments})"
    return replacing(site, start, start, function + opening), replacing(site, end, end, closing)


@builder
def unwrap(site: Site, call: cst.Call | cst.Attribute, kept: Any) -> tuple[Edit, ...]:
    """A call becomes one of its parts, an argument's value or the receiver: ``f(x, 1)`` becomes ``x``."""
    (start, end), (kept_start, kept_end) = inner(site, call), outer(site, kept)
    needed = not call.lpar and (
        (isinstance(kept, _BARE) and not kept.lpar)
        or _needs_parentheses(kept, parent(site.statement, call))
        or (not kept.lpar and _breaks_outside_brackets(site, kept))  # it was inside the call's parentheses
    )
    opening, closing = ("(", ")") if needed else ("", "")
    return replacing(site, start, kept_start, opening), replacing(site, kept_end, end, closing)


@builder
def call(site: Site, node: cst.CSTNode, arguments: str = "") -> tuple[Edit, ...]:
    """``node`` becomes ``node(arguments)``: a class is instantiated, a function is called."""
    start, end = outer(site, node)
    loose = isinstance(node, (*_LOOSE, *_BARE)) and not node.lpar
    if loose:
        return replacing(site, start, start, "("), replacing(site, end, end, f")({arguments})")
    return (replacing(site, end, end, f"({arguments})"),)


@builder
def append_call(site: Site, node: cst.CSTNode, method: str, arguments: str = "") -> tuple[Edit, ...]:
    """``node`` becomes ``node.method(arguments)``."""
    start, end = outer(site, node)
    loose = isinstance(node, (*_LOOSE, *_BARE, cst.Integer)) and not node.lpar
    if loose:
        return replacing(site, start, start, "("), replacing(site, end, end, f").{method}({arguments})")
    return (replacing(site, end, end, f".{method}({arguments})"),)


@builder
def append_index(site: Site, node: cst.CSTNode, index: str) -> tuple[Edit, ...]:
    """``node`` becomes ``node[index]``."""
    start, end = outer(site, node)
    loose = isinstance(node, (*_LOOSE, *_BARE)) and not node.lpar
    if loose:
        return replacing(site, start, start, "("), replacing(site, end, end, f")[{index}]")
    return (replacing(site, end, end, f"[{index}]"),)


def _needs_parentheses(node: Any, around: cst.CSTNode | None) -> bool:
    """Whether an expression without parentheses needs them as a child of ``around``."""
    if node is None or node.lpar:
        return False
    if isinstance(node, cst.Integer):
        return isinstance(around, cst.Attribute)
    tight = (*_LOOSE, cst.Attribute, cst.Call, cst.Subscript, cst.ComparisonTarget, cst.StarredElement)
    return isinstance(node, (*_LOOSE, *_BARE)) and isinstance(around, tight)


def _breaks_outside_brackets(site: Site, node: cst.CSTNode) -> bool:
    start, end = inner(site, node)
    text = site.document.text[start:end]
    if "\n" not in text and "\r" not in text:
        return False
    return abstract_expression(text) is None
