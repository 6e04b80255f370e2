"""The optimizer was not given all parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class OptimizerParameters(Hypothesis):
    """Weights that no optimizer has belong to a model whose name the source tells."""

    kind = "optimizer-parameters"
    supports: ClassVar = {"unchanged weight": 1.0, "loss not decreasing": 0.8, "accuracy not increasing": 0.6}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Give it those of the whole model."""
        run = case.run
        left = {parameter.layer for parameter in run.parameters if parameter.trainable and parameter.optimizer is None}
        if not left or (case.symptom.layer is not None and case.symptom.layer not in left):
            return
        models = {layer.model for layer in run.layers if layer.name in left}
        names = [spot.code.assigned_to(spot.call) for layer, spot in case.roots() if layer.model in models]
        wanted = [name for name in dict.fromkeys(names) if name is not None]
        if not wanted:
            return
        for _, spot in case.optimizers():
            given = spot.call.args[0] if spot.call.args else keyword(spot.call, "params")
            if given is not None:
                text = _all_parameters(spot.code, given, wanted)
                yield f"Give the optimizer all parameters: `{text}`", (spot.code.replace(given, text),), 1.0


def _all_parameters(code: Code, given: ast.expr, models: list[str]) -> str:
    """The parameters of models; what the optimizer already has of other models stays."""
    source = code.source(given)
    whole = [f"{model}.parameters()" for model in models]
    others = isinstance(given, ast.Call) and not any(source.startswith((f"{model}.", f"{model}[")) for model in models)
    parts = [source, *whole] if others else whole
    return parts[0] if len(parts) == 1 else f"[{', '.join(f'*{part}' for part in parts)}]"
