"""What is minimised is the negative of a loss, so that training makes it grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class LossSign(Hypothesis):
    """The loss is computed with a minus sign, or gradients are asked of its negative."""

    kind = "loss-sign"
    supports: ClassVar = {"invalid loss": 1.0, "exploding": 0.9, "numerical error": 0.7, "accuracy not increasing": 0.7}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The loss itself; only if most of its values are negative."""
        for loss, code, node in case.losses():
            negative = sum(value < 0 for value in loss.values)
            if 2 * negative <= len(loss.values):
                continue
            receivers = (call.func.value for call in code.backward_calls() if isinstance(call.func, ast.Attribute))
            for part in (node, *receivers):
                positive = without_sign(code, part)
                if positive is not None:
                    yield "Minimise the loss, not its negative", (code.replace(part, positive),), 1.0


def without_sign(code: Code, node: ast.AST) -> str | None:
    """The text of an expression without its minus sign; ``None`` if it has none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return code.source(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for sign, other in ((node.left, node.right), (node.right, node.left)):
            if code.source(sign).replace(" ", "") in ("-1", "-1.0"):
                return code.source(other)
    return None
