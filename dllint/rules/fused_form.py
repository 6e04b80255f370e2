"""Edits that replace a composition that is written as one expression by its fused form."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.analysis.compositions import Composition
from dllint.edit import Edit
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.ir.program import Op

#: Fused function → its qualified name in each framework.
NAMES: Final[dict[str, dict[str, str]]] = {
    "log_softmax": {"torch": "torch.log_softmax", "tensorflow": "tensorflow.nn.log_softmax", "keras": "keras.ops.log_softmax"},
    "logsigmoid": {
        "torch": "torch.nn.functional.logsigmoid",
        "tensorflow": "tensorflow.math.log_sigmoid",
        "keras": "keras.ops.log_sigmoid",
    },
    "log1p": {"torch": "torch.log1p", "tensorflow": "tensorflow.math.log1p", "keras": "keras.ops.log1p"},
    "expm1": {"torch": "torch.expm1", "tensorflow": "tensorflow.math.expm1", "keras": "keras.ops.expm1"},
}


def fused(op: Op, found: Composition, context: Any) -> tuple[Edit, ...]:
    """The edits for ``log(softmax(x, …))``, ``log(sigmoid(x))``, ``log(1 + x)`` and ``exp(x) - 1`` in one expression; none
    for other forms, nor where a name holds the value between."""
    qualified = NAMES.get(found.fused, {}).get(op.framework)
    arguments = _arguments(op, found, context) if qualified is not None else None
    if qualified is None or arguments is None:
        return ()
    written, imports = name_for(op.site.document, qualified)
    return (*replace_expression(op.site, op.site.node, f"{written}({arguments})"), *imports)


def _arguments(op: Op, found: Composition, context: Any) -> str | None:
    """The text of the fused call's arguments."""
    node = op.site.node
    if found.fused == "expm1":
        inner = node.left if isinstance(node, cst.BinaryOperation) else None
        return _inside(inner, found.inner, context)
    inner = _only_argument(node)
    if found.fused == "log1p":
        return _other_summand(inner, context)
    return _inside(inner, found.inner, context)


def _only_argument(node: Any) -> cst.BaseExpression | None:
    """``a`` of ``f(a)``, or of ``a.f()``."""
    if not isinstance(node, cst.Call):
        return None
    if len(node.args) == 1 and node.args[0].keyword is None and not node.args[0].star:
        return node.args[0].value
    return node.func.value if not node.args and isinstance(node.func, cst.Attribute) else None


def _inside(inner: Any, op: Op, context: Any) -> str | None:
    """The arguments of the inner call, if it is the inner operation as written: a function, or a method's receiver first."""
    if not isinstance(inner, cst.Call) or inner is not op.site.node or op.layer is not None:
        return None
    given = [context.text(arg).rstrip().rstrip(",") for arg in inner.args]
    if isinstance(inner.func, cst.Attribute) and op.spelled.startswith("torch.Tensor."):
        given.insert(0, context.text(inner.func.value))
    return ", ".join(given)


def _other_summand(inner: Any, context: Any) -> str | None:
    """``x`` of ``1 + x`` or ``x + 1``."""
    if not isinstance(inner, cst.BinaryOperation) or not isinstance(inner.operator, cst.Add):
        return None
    for one, other in ((inner.left, inner.right), (inner.right, inner.left)):
        if isinstance(one, cst.Integer | cst.Float) and one.evaluated_value == 1:
            return str(context.text(other))
    return None
