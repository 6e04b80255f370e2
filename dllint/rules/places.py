"""Source nodes of operations: the call that performs it, or one that contains it; what it declares."""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.fixes.arguments import keyword_argument, positional_arguments
from dllint.ir.events import ModuleCall
from dllint.ir.program import Event, Op
from dllint.rules.context import Context

_DECLARING: Final = ("input_shape", "batch_input_shape", "input_dim")


def called_directly(op: Op, context: Context) -> bool:
    """Whether the call at the op's place passes its arguments to the op itself: a function, a method's receiver aside, or
    a layer that no container applies."""
    if not isinstance(op.site.node, cst.Call):
        return False
    if op.layer is None:
        return True
    callees = [e.callee for e in context.facts.events(ModuleCall) if e.site.node is op.site.node]
    return all(callee is op.layer for callee in callees)


def declared_shape(where: Op | Event) -> cst.Arg | None:
    """The keyword of a Keras layer's construction that declares the model's input, as in ``Dense(8, input_shape=(4,))``."""
    node = where.site.node
    if not isinstance(node, cst.Call):
        return None
    return next((found for key in _DECLARING if (found := keyword_argument(node, key)) is not None), None)


def input_shape_argument(where: Op | Event) -> cst.Arg | None:
    """The argument that declares a Keras model's input without its batch axis: a layer's keyword, or the shape of ``Input``."""
    node = where.site.node
    if not isinstance(node, cst.Call):
        return None
    if (found := keyword_argument(node, "input_shape") or keyword_argument(node, "input_dim")) is not None:
        return found
    if not isinstance(where, Event):
        return None
    given = positional_arguments(node)
    return keyword_argument(node, "shape") or (given[0] if given and not keyword_argument(node, "batch_shape") else None)
