"""Edits that guard an operand: a least or greatest value, or a small number added, that fit its element type.

What is small must leave the derivative finite, too: that of a logarithm at ``e`` is 1 / e, of a root e ** -0.5 / 2, of a
reciprocal e ** -2 and of a reciprocal root e ** -1.5 / 2, and float16 ends at 65504.
"""

from __future__ import annotations

import math
from typing import Final

import libcst as cst

from dllint.domains.floating import FloatFormat
from dllint.edit import Edit
from dllint.fixes.arguments import positional_arguments
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call, replace_expression, wrap
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, outer
from dllint.ir.program import Op

#: What is small beside the numbers of a format and still above 0 with digits to spare, with its logarithm and root.
EPSILON: Final = {"float64": "1e-12", "float32": "1e-8", "bfloat16": "1e-8", "float16": "1e-4"}
#: The same for what is divided by.
_DIVISOR: Final = {**EPSILON, "float16": "5e-3"}
#: The distance that numbers keep from 1: some steps of the format.
_FROM_ONE: Final = {"float64": "1e-12", "float32": "1e-6", "bfloat16": "2e-2", "float16": "2e-3"}
_MAXIMUM: Final = {"tensorflow": "tensorflow.maximum", "keras": "keras.ops.maximum", "numpy": "numpy.maximum"}
_MINIMUM: Final = {"tensorflow": "tensorflow.minimum", "keras": "keras.ops.minimum", "numpy": "numpy.minimum"}
_CLIP: Final = {"tensorflow": "tensorflow.clip_by_value", "keras": "keras.ops.clip", "numpy": "numpy.clip"}


@builder
def at_least(op: Op, node: cst.CSTNode | None, number: str) -> tuple[Edit, ...]:
    """An operand becomes at least a number."""
    return _limited(op, node, f"min={number}", _MAXIMUM, number)


@builder
def at_most(op: Op, node: cst.CSTNode | None, limit: float) -> tuple[Edit, ...]:
    """An operand becomes at most a round number a little below what the format can exponentiate."""
    number = f"{math.floor(limit / 10) * 10 if limit > 20 else math.floor(limit)}.0"
    return _limited(op, node, f"max={number}", _MINIMUM, number)


@builder
def within(op: Op, node: cst.CSTNode | None, low: str, high: str) -> tuple[Edit, ...]:
    """An operand becomes a number between two."""
    return _limited(op, node, f"{low}, {high}", _CLIP, f"{low}, {high}")


@builder
def inside_one(op: Op, node: cst.CSTNode | None, fmt: FloatFormat) -> tuple[Edit, ...]:
    """An operand keeps its distance from -1 and 1."""
    distance = _FROM_ONE[fmt.name]
    return within(op, node, f"-1 + {distance}", f"1 - {distance}")


def operand_node(op: Op, name: str = "x") -> cst.BaseExpression | None:
    """The expression of an operand of an operation: of an operator, of a call, or the receiver of a method."""
    node = op.site.node
    if op.layer is not None:
        return None
    if isinstance(node, cst.BinaryOperation):
        return node.left if name == "x" else node.right
    if isinstance(node, cst.AugAssign):
        return node.value if name == "y" else None
    return _argument(op, node, name) if isinstance(node, cst.Call) else None


def _argument(op: Op, node: cst.Call, name: str) -> cst.BaseExpression | None:
    given = [arg.value for arg in positional_arguments(node)]
    if op.spelled.startswith(("torch.Tensor.", "numpy.ndarray.")) and isinstance(node.func, cst.Attribute):
        given.insert(0, node.func.value)
    place = 0 if name == "x" else 1
    return given[place] if place < len(given) else None


@builder
def _limited(op: Op, node: cst.CSTNode | None, limit: str, names: dict[str, str], number: str) -> tuple[Edit, ...]:
    if node is None:
        return ()
    if op.framework == "torch":
        return append_call(op.site, node, "clamp", limit)
    if op.framework not in names:
        return ()
    name, imports = name_for(op.site.document, names[op.framework])
    return (*wrap(op.site, node, name, number), *imports)


@builder
def increased(op: Op, node: cst.CSTNode | None, number: str) -> tuple[Edit, ...]:
    """A small number is added to an expression."""
    if node is None:
        return ()
    start, end = inner(op.site, node)
    text = op.site.document.text[start:end]
    if isinstance(node, _LOOSER):
        text = f"({text})"
    return replace_expression(op.site, node, f"{text} + {number}")


def small_divisor(fmt: FloatFormat) -> str:
    """A number that may be divided by, and whose reciprocal may be differentiated."""
    return _DIVISOR[fmt.name]


def written(op: Op, node: cst.CSTNode) -> str:
    """The text of an expression."""
    start, end = outer(op.site, node)
    return str(op.site.document.text[start:end])


#: Expressions that bind less than a sum does.
_LOOSER: Final = (cst.Comparison, cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.UnaryOperation)
