"""Edits that guard an operand: a least or greatest value, or a small number added, that fit its element type."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.domains.floating import FloatFormat
from dllint.edit import Edit
from dllint.fixes.calls import append_call, replace_expression, wrap
from dllint.fixes.imports import name_for
from dllint.ir.program import Op

#: What is small beside the numbers of a format and still above 0 with digits to spare.
EPSILON: Final = {"float64": "1e-12", "float32": "1e-8", "bfloat16": "1e-8", "float16": "1e-4"}
#: The largest argument whose exponential is finite, a little below.
HIGHEST: Final = {"float64": "700.0", "float32": "80.0", "bfloat16": "80.0", "float16": "11.0"}
_MAXIMUM: Final = {"tensorflow": "tensorflow.maximum", "keras": "keras.ops.maximum", "numpy": "numpy.maximum"}
_MINIMUM: Final = {"tensorflow": "tensorflow.minimum", "keras": "keras.ops.minimum", "numpy": "numpy.minimum"}


def at_least(op: Op, fmt: FloatFormat) -> tuple[Edit, ...]:
    """The argument of a function call becomes at least a small number."""
    return _limited(op, operand_node(op.site.node), "clamp", f"min={EPSILON[fmt.name]}", _MAXIMUM, EPSILON[fmt.name])


def at_most(op: Op, fmt: FloatFormat) -> tuple[Edit, ...]:
    """The argument of a function call becomes at most what the format can exponentiate."""
    return _limited(op, operand_node(op.site.node), "clamp", f"max={HIGHEST[fmt.name]}", _MINIMUM, HIGHEST[fmt.name])


def operand_node(node: Any) -> Any:
    """The expression of the operand: the only argument of a call, or the receiver of a method without arguments."""
    if not isinstance(node, cst.Call):
        return None
    plain = [arg for arg in node.args if arg.keyword is None and not arg.star]
    if plain:
        return plain[0].value if len(node.args) == 1 else None
    return node.func.value if not node.args and isinstance(node.func, cst.Attribute) else None


def _limited(op: Op, node: Any, method: str, limit: str, names: dict[str, str], number: str) -> tuple[Edit, ...]:
    if node is None or op.layer is not None:
        return ()
    if op.framework == "torch":
        return append_call(op.site, node, method, limit)
    if op.framework not in names:
        return ()
    name, imports = name_for(op.site.document, names[op.framework])
    return (*wrap(op.site, node, name, number), *imports)


def increased(op: Op, node: Any, fmt: FloatFormat) -> tuple[Edit, ...]:
    """A small number is added to an expression."""
    if node is None or op.layer is not None:
        return ()
    span = op.site.document.span(op.site.statement, node)
    text = op.site.document.text[span.start : span.end]
    if isinstance(node, _LOOSER):
        text = f"({text})"
    return replace_expression(op.site, node, f"{text} + {EPSILON[fmt.name]}")


#: Expressions that bind less than a sum does.
_LOOSER: Final = (cst.Comparison, cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.UnaryOperation)
