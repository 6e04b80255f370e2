"""The loss is summed over the batch, so that gradients scale with the batch size."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_SUMS: Final = ("sum", "reduce_sum")


class SumReduction(Hypothesis):
    """``reduction="sum"``, or a loss expression that ends in ``.sum()``."""

    kind = "loss-reduction"
    supports: ClassVar = {
        "sum reduction": 1.0,
        "exploding": 0.95,
        "numerical error": 0.7,
        "loss not decreasing": 0.7,
        "initial loss": 0.9,
        "oscillation": 0.7,
        "update-to-weight ratio": 0.8,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The mean instead."""
        for code in case.codes():
            for call in code.calls():
                reduction = keyword(call, "reduction")
                given = case.origin(code, reduction) if reduction is not None else None
                if given is not None and given.node.value == "sum":
                    mean = "sum_over_batch_size" if code.name(call.func).startswith("keras.") else "mean"
                    yield "Use the mean over the batch", (given.code.replace(given.node, f'"{mean}"'),), 1.0
        for _, code, node in case.losses():
            edit = _mean(code, node)
            if edit is not None:
                yield "Use the mean over the batch", (edit,), 0.9


def _mean(code: Code, node: ast.expr) -> Edit | None:
    """``x.sum()`` becomes ``x.mean()``, ``tf.reduce_sum(x)`` becomes ``tf.reduce_mean(x)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _SUMS:
        return None
    function = code.source(node.func)
    return code.replace(node.func, f"{function.removesuffix('sum')}mean")
