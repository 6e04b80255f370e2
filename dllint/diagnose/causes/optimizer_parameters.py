"""The optimizer was not given all parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class OptimizerParameters(Hypothesis):
    """Weights that no optimizer has belong to a model whose name is known from the source."""

    kind = "optimizer-parameters"
    supports: ClassVar = {"unchanged weight": 1.0, "loss not decreasing": 0.8, "accuracy not increasing": 0.6}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Give it those of the whole model."""
        run = case.run
        left = {parameter.layer for parameter in run.parameters if parameter.trainable and parameter.optimizer is None}
        if not left or (case.symptom.layer is not None and case.symptom.layer not in left):
            return
        models = {layer.model for layer in run.layers if layer.name in left}
        bound = [case.bound(layer) for layer in run.layers if layer.name == layer.model and layer.model in models]
        wanted = dict(entry for entry in bound if entry is not None)
        for track, spot in case.optimizers() if wanted else ():
            given = spot.call.args[0] if spot.call.args else keyword(spot.call, "params")
            if given is not None:
                is_used = any(parameter.optimizer == track.key for parameter in run.parameters)
                text = _all_parameters(spot.code, given, list(wanted), keep=is_used)
                yield f"Give the optimizer all parameters: `{text}`", _edits(spot, given, text, wanted.values()), 1.0


def _edits(optimizer: Spot, given: ast.expr, text: str, models: Iterable[Spot]) -> tuple[Edit, ...]:
    """Other parameters for an optimizer; if it is built before one of the models, it is built after it."""
    code, statement = optimizer.code, optimizer.code.statement(optimizer.call)
    in_file = [model.code.statement(model.call) for model in models if model.code is code]
    late = [model for model in in_file if code.function(model) is code.function(statement) and model.lineno > statement.lineno]
    if not late:
        return (code.replace(given, text),)
    start, (first, last) = code.span(statement)[0], code.span(given)
    source = code.source(statement)
    moved = f"{source[: first - start]}{text}{source[last - start :]}"
    return code.remove(statement), code.insert_after(max(late, key=lambda model: model.lineno), moved)


def _all_parameters(code: Code, given: ast.expr, models: list[str], *, keep: bool) -> str:
    """The parameters of models; what the optimizer already has of other models that are used stays."""
    source = code.source(given)
    whole = [f"{model}.parameters()" for model in models]
    others = isinstance(given, ast.Call) and not any(source.startswith((f"{model}.", f"{model}[")) for model in models)
    parts = [source, *whole] if others and keep else whole
    return parts[0] if len(parts) == 1 else f"[{', '.join(f'*{part}' for part in parts)}]"
