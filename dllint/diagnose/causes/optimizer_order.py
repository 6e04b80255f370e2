"""The optimizer was built before the layers that it should train."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class OptimizerOrder(Hypothesis):
    """Layers that no optimizer has are built after it, in the same function."""

    kind = "optimizer-parameters"
    supports: ClassVar = {"unchanged weight": 1.0, "loss not decreasing": 0.8, "accuracy not increasing": 0.7}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Build the optimizer after them, with their parameters."""
        run = case.run
        left = {parameter.layer for parameter in run.parameters if parameter.trainable and parameter.optimizer is None}
        for _, optimizer in case.optimizers():
            code, statement = optimizer.code, optimizer.code.statement(optimizer.call)
            built = [
                spot.call
                for layer in run.layers
                if layer.name in left
                for place in (layer.place, *layer.outer)
                for spot in (case.spot(place),)
                if spot is not None and spot.code is code and code.function(spot.call) is code.function(statement)
            ]
            last = max(built, key=lambda node: node.lineno, default=None)
            if last is not None and last.lineno > statement.lineno:
                text = _of_model(code, optimizer.call, statement, code.assigned_to(last))
                moved = (code.remove(statement), code.insert_after(code.statement(last), text))
                yield "Build the optimizer after the layers that it trains", moved, 1.0


def _of_model(code: Code, optimizer: ast.Call, statement: ast.stmt, model: str | None) -> str:
    """The statement that builds an optimizer, for the parameters of a model if it names those of another one."""
    text = code.source(statement)
    given = optimizer.args[0] if optimizer.args else None
    is_whole = isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "parameters"
    if given is None or model is None or not is_whole:
        return text
    return text.replace(code.source(given), f"{model}.parameters()", 1)
