"""The data was divided with ``//``, which makes 0 of numbers smaller than the divisor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import RunRecord
from dllint.edit import Edit

#: A larger share of zeros is not that of data with a range.
_ZEROS: Final = 0.9
#: Divisors below this divide sizes and indices.
_SCALE: Final = 10.0


class IntegerDivision(Hypothesis):
    """Almost all inputs are zero, and the source divides by a large number with ``//``."""

    kind = "integer-division"
    supports: ClassVar = {
        "input-independent output": 0.95,
        "unchanged weight": 0.9,
        "accuracy not increasing": 0.9,
        "loss not decreasing": 0.9,
        "cannot fit one batch": 0.9,
        "input features": 0.9,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """True division."""
        if not _is_empty(case.run):
            return
        for code in case.codes():
            for node in ast.walk(code.tree):
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and (number(node.right) or 0) > _SCALE:
                    yield "Divide with a remainder", (_divided(code, node),), 1.0


def _is_empty(run: RunRecord) -> bool:
    """Whether nearly all inputs that were seen are zero."""
    inputs = [
        tensor.stats
        for step in run.steps
        for tensor in (step.batch.tensors if step.batch is not None else ())
        if tensor.role == "input" and tensor.stats is not None
    ]
    return bool(inputs) and all(stats.zero_share > _ZEROS for stats in inputs)


def _divided(code: Code, node: ast.BinOp) -> Edit:
    """The edit of the operator, which stands between both sides."""
    return code.replace(node, f"{code.source(node.left)} / {code.source(node.right)}")
