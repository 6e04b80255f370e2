"""Source text of expressions, for conditions and names. Messages show a short form of it (``rules/shortening.py``)."""

from __future__ import annotations

from typing import Any

import libcst as cst

_EMPTY = cst.Module([])
#: Conditions are longer in generated code only.
_LONGEST = 500
_OPPOSITE = {
    cst.Is: (" is ", " is not "), cst.IsNot: (" is not ", " is "), cst.Equal: (" == ", " != "), cst.NotEqual: (" != ", " == "),
    cst.LessThan: (" < ", " >= "), cst.GreaterThanEqual: (" >= ", " < "), cst.GreaterThan: (" > ", " <= "),
    cst.LessThanEqual: (" <= ", " > "), cst.In: (" in ", " not in "), cst.NotIn: (" not in ", " in "),
}  # fmt: skip


def negated(test: cst.CSTNode, text: str) -> str:
    """The text of the negation of a condition, from the condition and its own text."""
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        own, other = _OPPOSITE.get(type(test.comparisons[0].operator), ("", ""))
        if own and text.count(own) == 1:
            return text.replace(own, other)
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return text.removeprefix("not ")
    return f"not ({text})" if isinstance(test, (cst.BooleanOperation, cst.Comparison)) else f"not {text}"


def text_of(node: cst.CSTNode) -> str:
    """The source text of an expression on one line, cut if it is longer than people write."""
    text = _plain(node) or " ".join(_EMPTY.code_for_node(node).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _plain(node: Any) -> str:
    """The text of the simplest expressions, far faster than libcst writes it; empty for all others."""
    cls = node.__class__
    if getattr(node, "lpar", True):
        return ""
    if cls is cst.Name:
        return str(node.value)
    if cls is cst.Attribute:
        owner = _plain(node.value)
        return f"{owner}.{node.attr.value}" if owner else ""
    if cls is cst.UnaryOperation and node.operator.__class__ is cst.Not:
        operand = _plain(node.expression)
        return f"not {operand}" if operand else ""
    return _identity(node) if cls is cst.Comparison and len(node.comparisons) == 1 else ""


def _identity(node: cst.Comparison) -> str:
    """``a is b`` or ``a is not b`` of plain expressions."""
    operator = node.comparisons[0].operator
    if not isinstance(operator, (cst.Is, cst.IsNot)):
        return ""
    left, right = _plain(node.left), _plain(node.comparisons[0].comparator)
    return f"{left}{_OPPOSITE[type(operator)][0]}{right}" if left and right else ""
