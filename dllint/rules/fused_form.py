"""Edits that replace a composition by its fused form: what it computes stays the same up to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeGuard

import libcst as cst

from dllint.analysis.compositions import (
    EXPM1,
    LOG1P,
    LOG_COMPLEMENT,
    LOG_SIGMOID,
    LOG_SOFTMAX,
    LOG_SUM_EXP,
    SIGMOID,
    SOFTMAX,
    SOFTPLUS,
    Composition,
    Form,
    maker,
)
from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import overwrites
from dllint.fixes.repeating import means_the_same
from dllint.ir.program import Op
from dllint.ir.values import Value
from dllint.rules.context import Context

_LOG_SIGMOID: Final = {
    "torch": "torch.nn.functional.logsigmoid",
    "tensorflow": "tensorflow.math.log_sigmoid",
    "keras": "keras.ops.log_sigmoid",
}
#: Form → the qualified name of its fused function in each framework.
NAMES: Final[dict[Form, dict[str, str]]] = {
    LOG_SOFTMAX: {"torch": "torch.log_softmax", "tensorflow": "tensorflow.nn.log_softmax", "keras": "keras.ops.log_softmax"},
    LOG_SIGMOID: _LOG_SIGMOID,
    LOG_COMPLEMENT: _LOG_SIGMOID,
    LOG_SUM_EXP: {"torch": "torch.logsumexp", "tensorflow": "tensorflow.reduce_logsumexp", "keras": "keras.ops.logsumexp"},
    SOFTMAX: {"torch": "torch.softmax", "tensorflow": "tensorflow.nn.softmax", "keras": "keras.ops.softmax"},
    SIGMOID: {"torch": "torch.sigmoid", "tensorflow": "tensorflow.sigmoid", "keras": "keras.ops.sigmoid"},
    SOFTPLUS: {
        "torch": "torch.nn.functional.softplus",
        "tensorflow": "tensorflow.nn.softplus",
        "keras": "keras.ops.softplus",
    },
    LOG1P: {"torch": "torch.log1p", "tensorflow": "tensorflow.math.log1p", "keras": "keras.ops.log1p"},
    EXPM1: {"torch": "torch.expm1", "tensorflow": "tensorflow.math.expm1", "keras": "keras.ops.expm1"},
}
#: What the frameworks call the axis, and the option to keep it.
_AXIS: Final = {"torch": ("dim", "keepdim"), "tensorflow": ("axis", "keepdims"), "keras": ("axis", "keepdims")}


@builder
def fused(op: Op, found: Composition, context: Context) -> tuple[Edit, ...]:
    """The edits for a composition whose argument can be written again where it ends; none for other forms."""
    qualified = NAMES[found.form].get(op.framework)
    possible = qualified is not None and op.site.document.editable and not overwrites(op)
    arguments = _ARGUMENTS[found.form](op, found, context) if possible else None
    if qualified is None or arguments is None:
        return ()
    written, imports = name_for(op.site.document, qualified)
    return (*replace_expression(op.site, op.site.node, f"{written}({arguments})"), *imports)


def _of_probabilities(op: Op, found: Composition, context: Context) -> str | None:
    """``x, …`` of ``log(softmax(x, …))``: the arguments as they are, or those that a layer was built with."""
    inner = found.inner
    if inner.layer is not None:
        dim = inner.args.get("dim")
        text = _argument(inner, op, context)
        if text is None or inner.framework != "torch" or not isinstance(dim, int):
            return None
        return f"{text}, dim={dim}" if found.form is LOG_SOFTMAX else text
    node = inner.site.node
    if not isinstance(node, cst.Call) or not all(means_the_same(part.value, inner, op) for part in node.args):
        return None
    if inner.site.statement is not op.site.statement and _argument(inner, op, context) is None:
        return None
    given = [context.text(arg).rstrip().rstrip(",") for arg in node.args]
    if isinstance(node.func, cst.Attribute) and inner.spelled.startswith("torch.Tensor."):
        given.insert(0, context.text(node.func.value))
    return ", ".join(given)


def _of_complement(op: Op, found: Composition, context: Context) -> str | None:
    """``-x`` of ``log(1 - sigmoid(x))``."""
    inner = maker(found.inner.args.get("y"))
    return _negated(inner, op, context) if inner is not None else None


def _negated(inner: Op, op: Op, context: Context) -> str | None:
    node = _operand(inner)
    text = _argument(inner, op, context)
    if text is None:
        return None
    return f"-{text}" if isinstance(node, _TIGHT) or node.lpar else f"-({text})"


def _of_sum(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` and the axes of ``log(sum(exp(x)))``."""
    exponential, dim = found.failing, found.inner.args.get("dim")
    text = _argument(exponential, op, context) if exponential is not None else None
    if text is None or not _is_axes(dim):
        return None
    axis, keep = _AXIS[op.framework]
    kept = found.inner.args.get("keepdim")
    return f"{text}, {axis}={dim}, {keep}=True" if kept is True else f"{text}, {axis}={dim}" if not kept else None


def _of_quotient(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` and the axis of ``exp(x) / sum(exp(x))``, where the sum keeps its axis."""
    below = maker(op.args.get("y"))
    dim = below.args.get("dim") if below is not None else None
    dim = dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
    text = _argument(found.inner, op, context)
    if below is None or text is None or not isinstance(dim, int) or below.args.get("keepdim") is not True:
        return None
    return f"{text}, {_AXIS[op.framework][0]}={dim}"


def _of_logistic(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` of ``1 / (1 + exp(-x))``."""
    negation = maker(found.inner.args.get("x"))
    return _argument(negation, op, context) if negation is not None else None


def _of_exponential(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` of ``log(1 + exp(x))``."""
    return _argument(found.failing, op, context) if found.failing is not None else None


def _of_difference(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` of ``exp(x) - 1``."""
    return _argument(found.inner, op, context)


def _of_increased(op: Op, found: Composition, context: Context) -> str | None:
    """``x`` of ``log(1 + x)``."""
    node = found.inner.site.node
    if not isinstance(node, cst.BinaryOperation) or found.inner.site.statement is not op.site.statement:
        return None
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, (cst.Integer, cst.Float)) and one.evaluated_value == 1:
            return str(context.text(other))
    return None


_ARGUMENTS: Final[dict[Form, Callable[[Op, Composition, Context], str | None]]] = {
    LOG_SOFTMAX: _of_probabilities,
    LOG_SIGMOID: _of_probabilities,
    LOG_COMPLEMENT: _of_complement,
    LOG_SUM_EXP: _of_sum,
    SOFTMAX: _of_quotient,
    SIGMOID: _of_logistic,
    SOFTPLUS: _of_exponential,
    LOG1P: _of_increased,
    EXPM1: _of_difference,
}
#: Expressions that a minus sign may stand before without parentheses.
_TIGHT: Final = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def _argument(inner: Op, op: Op, context: Context) -> str | None:
    """The text of the only tensor that an operation takes, if it means the same where another one stands."""
    node = _operand(inner)
    return str(context.text(node)) if node is not None and means_the_same(node, inner, op) else None


def _operand(op: Op) -> Any:
    """``x`` of ``f(x, …)``, ``layer(x)``, ``x.f(…)`` or ``-x``."""
    node = op.site.node
    if isinstance(node, cst.UnaryOperation):
        return node.expression
    if not isinstance(node, cst.Call):
        return None
    if op.spelled.startswith("torch.Tensor.") and op.layer is None:
        return node.func.value if isinstance(node.func, cst.Attribute) else None
    first = node.args[0] if node.args else None
    return first.value if first is not None and not first.star and first.keyword is None else None


def _is_axes(dim: Value) -> TypeGuard[int | tuple[int, ...]]:
    return isinstance(dim, int) or (isinstance(dim, tuple) and all(isinstance(axis, int) for axis in dim))
