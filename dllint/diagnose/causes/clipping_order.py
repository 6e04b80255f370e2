"""Gradients are clipped after they were cleared and before they are computed, so that nothing is clipped."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_CLIPPING: Final = ("clip_grad_norm_", "clip_grad_value_")


class ClippingOrder(Hypothesis):
    """The call that clips stands before that of ``backward`` in the same block, behind ``zero_grad``."""

    kind = "gradient-clipping"
    supports: ClassVar = {
        "exploding": 0.97,
        "numerical error": 0.8,
        "loss not decreasing": 0.7,
        "accuracy not increasing": 0.7,
        "cannot fit one batch": 0.7,
        "oscillation": 0.7,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clip behind the backward pass."""
        for code in case.files():
            for call in code.calls():
                name = call.func.attr if isinstance(call.func, ast.Attribute) else code.source(call.func)
                if name in _CLIPPING:
                    yield from _moved(code, code.statement(call))


def _moved(code: Code, clipping: ast.stmt) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    parent = code.parent(clipping)
    block: Sequence[ast.stmt] = getattr(parent, "body", ())
    if not isinstance(clipping, ast.Expr) or clipping not in block:
        return
    at = block.index(clipping)
    before = [name for statement in block[:at] for name in _methods(code, statement)]
    cleared = before[::-1].index("zero_grad") if "zero_grad" in before else None
    computed = before[::-1].index("backward") if "backward" in before else len(before)
    if cleared is None or computed < cleared:
        return
    for statement in block[at + 1 :]:
        names = _methods(code, statement)
        if "backward" in names:
            moved = (code.remove(clipping), code.insert_after(statement, code.source(clipping)))
            yield "Clip the gradients after the backward pass", moved, 1.0
        if "backward" in names or "step" in names:
            return


def _methods(code: Code, statement: ast.stmt) -> list[str]:
    """The methods that a statement calls, in the order of the text; passes of training libraries count as ``backward``."""
    calls = [call for call in code.calls(statement) if isinstance(call.func, ast.Attribute)]
    calls.sort(key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))
    names = [call.func.attr for call in calls if isinstance(call.func, ast.Attribute)]
    return ["backward" if name == "manual_backward" else name for name in names]
