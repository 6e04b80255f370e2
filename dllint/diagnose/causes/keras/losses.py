"""Losses in a Keras source: named in ``compile``, built as objects, or called as functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.keras.source import argument, compilations, is_keras
from dllint.edit import Edit

#: Loss function → class of the loss.
CLASSES: Final = {
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
    "categorical_crossentropy": "CategoricalCrossentropy",
    "binary_crossentropy": "BinaryCrossentropy",
    "mean_squared_error": "MeanSquaredError",
    "mean_absolute_error": "MeanAbsoluteError",
    "huber": "Huber",
}
_SHORT: Final = {"mse": "mean_squared_error", "mae": "mean_absolute_error"}
_FUNCTIONS: Final = {kind: function for function, kind in CLASSES.items()}


@dataclass(frozen=True, slots=True)
class LossSite:
    """A loss: its expression, the name of its function, and whether it takes logits."""

    code: Code
    node: ast.expr
    function: str
    from_logits: bool

    def changed(self, function: str, *, from_logits: bool = False) -> tuple[Edit, ...]:
        """The edits that make it another loss, or take something else."""
        code, node = self.code, self.node
        if not isinstance(node, ast.Call):
            if not from_logits:
                return (code.replace(node, f'"{function}"'),)
            name, imports = code.spelled(f"keras.losses.{CLASSES[function]}")
            return (code.replace(node, f"{name}(from_logits=True)"), *imports)
        edits: tuple[Edit, ...] = ()
        if function != self.function:
            is_object = code.name(node.func).rpartition(".")[2] in _FUNCTIONS
            name, imports = code.spelled(f"keras.losses.{CLASSES[function] if is_object else function}")
            edits = (code.replace(node.func, name), *imports)
        if from_logits or keyword(node, "from_logits") is not None:
            edits = (*edits, code.with_keyword(node, "from_logits", str(from_logits)))
        return edits


def loss_sites(case: Case) -> Iterator[LossSite]:
    """The losses in the source."""
    if not is_keras(case):
        return
    for code, call in compilations(case):
        node = argument(call, 1, "loss")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield LossSite(code, node, _function(node.value), from_logits=False)
    for code in case.codes():
        for call in code.calls():
            name = code.name(call.func)
            function = _function(name.rpartition(".")[2])
            if name.startswith("keras.losses.") and function in CLASSES:
                logits = keyword(call, "from_logits")
                yield LossSite(code, call, function, isinstance(logits, ast.Constant) and logits.value is True)


def _function(name: str) -> str:
    return _FUNCTIONS.get(name) or _SHORT.get(name.lower()) or name
