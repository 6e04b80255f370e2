"""The optimizer was built before the layers that it should train."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.places import SourcePlace
from dllint.edit import Edit

Repair = tuple[str, tuple[Edit, ...], float]


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
        yield from _added_before(case)


def _added_before(case: Case) -> Iterator[Repair]:
    """Give a model its new layers before a call, in the same block, that builds the optimizer."""
    layer = case.run.layer(case.symptom.layer)
    if layer is None or not layer.late:
        return
    for spot in map(case.spot, (layer.place, *layer.outer)):
        for track in case.run.tracks[::-1] if spot is not None else ():
            earlier = _builder(spot, track.optimizer.place) if spot is not None else None
            if spot is not None and earlier is not None:
                code, statement = spot.code, spot.code.statement(spot.call)
                moved = (code.insert_before(earlier, code.source(statement)), code.remove(statement))
                yield "Change the model before the optimizer is built", moved, 1.0
                return


def _builder(spot: Spot, optimizer: SourcePlace | None) -> ast.stmt | None:
    """The last statement before a call, in its block, that builds the optimizer, or calls the function or class that does."""
    if optimizer is None:
        return None
    code, statement = spot.code, spot.code.statement(spot.call)
    builder = optimizer.function.partition(".")[0]
    for block in code.blocks(statement):
        for earlier in reversed(block[: block.index(statement)] if statement in block else []):
            names = {code.name(call.func).rpartition(".")[2] for call in code.calls(earlier)}
            first, last = earlier.lineno, earlier.end_lineno or earlier.lineno
            is_it = str(code.path) == optimizer.path and first <= optimizer.line and optimizer.end_line <= last
            if builder in names or (is_it and not isinstance(earlier, ast.FunctionDef | ast.ClassDef)):
                return earlier
    return None


def _of_model(code: Code, optimizer: ast.Call, statement: ast.stmt, model: str | None) -> str:
    """The statement that builds an optimizer, for the parameters of a model if it names those of another one."""
    text = code.source(statement)
    given = optimizer.args[0] if optimizer.args else None
    is_whole = isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "parameters"
    if given is None or model is None or not is_whole:
        return text
    return text.replace(code.source(given), f"{model}.parameters()", 1)
