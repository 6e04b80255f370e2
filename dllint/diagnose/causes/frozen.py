"""Parameters are frozen that the model needs to train."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class Frozen(Hypothesis):
    """Some parameters require no gradient, and the model learns nothing."""

    kind = "frozen"
    supports: ClassVar = {
        "loss not decreasing": 0.8,
        "accuracy not increasing": 0.8,
        "cannot fit one batch": 0.95,
        "unchanged weight": 0.7,
        "update-to-weight ratio": 0.6,
        "oscillation": 0.4,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Train them, too."""
        weights = [parameter for parameter in case.run.parameters if len(parameter.shape) > 1]
        frozen = [parameter for parameter in weights if not parameter.trainable]
        if not frozen:
            return
        for code in case.codes():
            for node in ast.walk(code.tree):
                off = _switch(node)
                if off is not None:
                    yield "Do not freeze the weights", (code.replace(off, "True"),), 0.5 + 0.5 * len(frozen) / len(weights)


def _switch(node: ast.AST) -> ast.expr | None:
    """The ``False`` of ``requires_grad = False`` and ``requires_grad_(False)``."""
    value: ast.expr | None = None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        value = node.value if node.targets[0].attr == "requires_grad" else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
        value = node.args[0] if node.args else None
    return value if isinstance(value, ast.Constant) and value.value is False else None
