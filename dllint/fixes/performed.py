"""Edits of the call that performs an operation, written as a method (``x.view(…)``) or a function (``torch.reshape(x, …)``)."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.arguments import keyword_argument, positional_arguments, replace_value
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, outer, replacing
from dllint.ir.program import Op

Edits = tuple[Edit, ...]
_METHODS: Final = ("torch.Tensor.", "numpy.ndarray.")
#: Expressions that a method may be called on without parentheses.
_TIGHT: Final = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def is_method(op: Op) -> bool:
    """Whether an operation is written as a method of its first tensor."""
    node = op.site.node
    return op.spelled.startswith(_METHODS) and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)


def first_operand(op: Op) -> cst.BaseExpression | None:
    """The expression of the tensor that an operation without a layer works on."""
    node = op.site.node
    if op.layer is not None or not isinstance(node, cst.Call):
        return None
    if is_method(op) and isinstance(node.func, cst.Attribute):
        return node.func.value
    given = positional_arguments(node)
    return given[0].value if given else None


def operand_text(op: Op) -> str | None:
    """The text of the first operand, in parentheses where a method or an index behind it needs them."""
    node = first_operand(op)
    if node is None:
        return None
    start, end = outer(op.site, node)
    text = op.site.document.text[start:end]
    return text if isinstance(node, _TIGHT) or node.lpar else f"({text})"


def written_argument(op: Op, name: str, position: int) -> cst.Arg | None:
    """The argument that gives a parameter, by its keyword or its position behind the first tensor."""
    node = op.site.node
    if op.layer is not None or not isinstance(node, cst.Call):
        return None
    given = positional_arguments(node)
    place = position if is_method(op) else position + 1
    return keyword_argument(node, name) or (given[place] if place < len(given) else None)


@builder
def replace_argument(op: Op, names: tuple[str, ...], position: int, value: str) -> Edits:
    """A parameter, under one of its names in the libraries, gets another value; no edit if it is not written."""
    found = (written_argument(op, name, position) for name in names)
    arg = next((arg for arg in found if arg is not None), None)
    return replace_value(op.site, arg, value) if arg is not None else ()


@builder
def as_method(op: Op, method: str, arguments: str) -> Edits:
    """``x.old(…)`` or ``f(x, …)`` becomes ``x.method(arguments)``."""
    text = operand_text(op)
    if text is None:
        return ()
    node: Any = op.site.node
    if is_method(op):
        return (replacing(op.site, inner(op.site, node.func.attr)[0], inner(op.site, node)[1], f"{method}({arguments})"),)
    return replace_expression(op.site, node, f"{text}.{method}({arguments})")


@builder
def as_function(op: Op, qualified: str, arguments: str) -> Edits:
    """``f(x, …)`` becomes ``g(x, arguments)`` for the library function ``qualified``."""
    node, kept = op.site.node, first_operand(op)
    if kept is None or not isinstance(node, cst.Call):
        return ()
    start, end = outer(op.site, kept)
    name, imports = name_for(op.site.document, qualified)
    return (*replace_expression(op.site, node, f"{name}({op.site.document.text[start:end]}, {arguments})"), *imports)
