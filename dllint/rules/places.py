"""Whether the source node of an operation is the call that performs it, and not one that contains it."""

from __future__ import annotations

from typing import Any

import libcst as cst

from dllint.ir.events import MODULE_CALL
from dllint.ir.program import Op


def called_directly(op: Op, context: Any) -> bool:
    """Whether the call at the op's place passes its arguments to the op itself: a function, a method's receiver aside, or
    a layer that no container applies."""
    if not isinstance(op.site.node, cst.Call):
        return False
    if op.layer is None:
        return True
    callees = [e.data.get("callee") for e in context.facts.events(MODULE_CALL) if e.site.node is op.site.node]
    return all(callee is op.layer for callee in callees)
