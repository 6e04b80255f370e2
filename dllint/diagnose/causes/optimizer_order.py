"""The optimizer was built before the layers that it should train."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class OptimizerOrder(Hypothesis):
    """Layers that no optimizer has are built after it, in the same function."""

    kind = "optimizer-parameters"
    supports: ClassVar = {"unchanged weight": 1.0, "loss not decreasing": 0.8, "accuracy not increasing": 0.7}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Build the optimizer after them."""
        run = case.run
        left = {parameter.layer for parameter in run.parameters if parameter.trainable and parameter.optimizer is None}
        for _, optimizer in case.optimizers():
            code, statement = optimizer.code, optimizer.code.statement(optimizer.call)
            late: list[ast.stmt] = []
            for layer in run.layers:
                spot = case.spot(layer.place) if layer.name in left else None
                if spot is not None and spot.code is code and code.function(spot.call) is code.function(statement):
                    late.append(code.statement(spot.call))
            last = max(late, key=lambda node: node.lineno, default=statement)
            if last.lineno > statement.lineno:
                moved = (code.remove(statement), code.insert_after(last, code.source(statement)))
                yield "Build the optimizer after the layers that it trains", moved, 1.0
