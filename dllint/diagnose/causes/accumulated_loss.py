"""The gradients of several batches are added up for a step, and their losses are not divided by the number of batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: Batches by which the gradient is too large to blame the rate alone.
_LEAST: Final = 4
#: Methods of training libraries that take the loss.
_TAKING: Final = ("manual_backward", "backward")


class AccumulatedLoss(Hypothesis):
    """The run has several backward passes for each step, and the loss is handed over as it is."""

    kind = "accumulation"
    supports: ClassVar = {"exploding": 0.95, "numerical error": 0.7, "oscillation": 0.7}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Divide the loss by the number of batches of a step."""
        for track in case.run.tracks:
            if track.accumulated < _LEAST:
                continue
            for loss in case.run.losses:
                found = case.backward(loss) if loss.track == track.key else None
                given = _given(*found) if found is not None else None
                if found is not None and given is not None and not _is_divided(found[0], given):
                    yield (
                        f"Divide the loss by the {track.accumulated} batches of a step",
                        (found[0].replace(given, f"({found[0].source(given)} / {track.accumulated})"),),
                        1.0,
                    )


def _given(code: Code, statement: ast.stmt) -> ast.expr | None:
    """The loss in a statement that computes its gradients."""
    for call in code.calls(statement):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _TAKING:
            return call.args[0] if call.args else call.func.value
    return None


def _is_divided(code: Code, given: ast.expr) -> bool:
    """Whether a loss is divided, or scaled, where it is handed over or by the assignments to its name."""
    values = [given, *(item.value for item in (code.assignments(given.id) if isinstance(given, ast.Name) else ()))]
    scaled = any(isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div | ast.Mult) for value in values)
    augmented = any(
        isinstance(node, ast.AugAssign)
        and code.source(node.target) == code.source(given)
        and isinstance(node.op, ast.Div | ast.Mult)
        for node in ast.walk(code.tree)
    )
    return scaled or augmented
