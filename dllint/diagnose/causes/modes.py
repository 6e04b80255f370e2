"""The model is not switched between training and evaluation mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class TrainMode(Hypothesis):
    """The model is in evaluation mode while it is trained."""

    kind = "train-mode"
    supports: ClassVar = {"training in evaluation mode": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Back to training mode before each pass over the data."""
        for code in case.codes():
            for call in code.backward_calls():
                loops = code.loops(call)
                name = _model(case, code, code.function(call))
                if name is None or not loops:
                    continue
                # Of nested loops the inner one goes over the data.
                at = loops[0] if len(loops) > 1 else loops[0].body[0]
                yield "Train in training mode", (code.insert_before(at, f"{name}.train()"),), 1.0


class EvalMode(Hypothesis):
    """The model is in training mode while it is evaluated."""

    kind = "eval-mode"
    supports: ClassVar = {"evaluation in training mode": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Evaluation mode around the block that computes no gradients."""
        for code in case.codes():
            for node in ast.walk(code.tree):
                if isinstance(node, ast.With) and case.is_within(code, node):
                    name = _model(case, code, code.function(node))
                    if name is not None:
                        edits = (code.insert_before(node, f"{name}.eval()"), code.insert_after(node, f"{name}.train()"))
                        yield "Evaluate in evaluation mode", edits, 1.0


def _model(case: Case, code: Code, function: ast.AST) -> str | None:
    """The name that a function calls the model by: that of the model itself, or of a parameter whose mode is switched
    somewhere."""
    built = {spot.code.assigned_to(spot.call) for _, spot in case.roots()}
    switched = {
        code.source(call.func.value)
        for call in code.calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("train", "eval")
    }
    arguments = function.args.args if isinstance(function, ast.FunctionDef) else []
    parameters = {argument.arg for argument in arguments}
    called = {code.source(call.func) for call in code.calls(function)}
    known = (called & built) or (called & switched & parameters)
    return min((name for name in known if name is not None), default=None)
