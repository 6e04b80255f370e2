"""Parameters are frozen that the model needs to train."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_SWITCHES: Final = ("requires_grad", "trainable")


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
        strength = 0.5 + 0.5 * len(frozen) / len(weights)
        for code in case.codes():
            for node in ast.walk(code.tree):
                off = _switch(node)
                given = case.origin(code, off) if off is not None else None
                if given is not None and given.node.value in (False, 0):
                    text = "True" if given.node.value is False else "1"
                    yield "Do not freeze the weights", (given.code.replace(given.node, text),), strength


def _switch(node: ast.AST) -> ast.expr | None:
    """The value of ``requires_grad = …``, ``requires_grad_(…)``, and ``trainable = …`` as an attribute or an argument."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        return node.value if node.targets[0].attr in _SWITCHES else None
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_" and node.args:
        return node.args[0]
    return keyword(node, "trainable", "requires_grad")
