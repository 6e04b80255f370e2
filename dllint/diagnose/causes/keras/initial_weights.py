"""Initial weights that a Keras layer is given by an initializer of the program's choice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.initial_weights import InitialWeights, misfits
from dllint.diagnose.causes.keras.source import is_keras
from dllint.edit import Edit

#: What weights may begin with because it goes by the number of inputs.
_FITTING = ("he_", "glorot_", "lecun_", "orthogonal", "variance_scaling", "identity")


class KerasInitialWeights(InitialWeights):
    """An initializer that does not go by the number of inputs: zeros, constants, a normal distribution of its own width."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """By the number of inputs, and 0 for biases."""
        if not is_keras(case):
            return
        misfit = any(misfits(parameter, case.run) for parameter in case.run.parameters)
        for code in case.codes():
            weights = [node for call in code.calls() if (node := _by_hand(code, call, "kernel_initializer")) is not None]
            if weights:
                edits = tuple(code.replace(node, '"he_uniform"') for node in weights)
                yield "Initialise by the number of inputs (He)", edits, 1.0 if misfit else 0.4
            biases = [node for call in code.calls() if (node := _by_hand(code, call, "bias_initializer")) is not None]
            if biases:
                yield "Begin with biases of 0", tuple(code.replace(node, '"zeros"') for node in biases), 0.9
            if weights and biases:
                yield "Leave the initial weights to Keras", _defaults(code, weights, biases), 0.85


def _defaults(code: Code, weights: list[ast.expr], biases: list[ast.expr]) -> tuple[Edit, ...]:
    return (
        *(code.replace(node, '"glorot_uniform"') for node in weights),
        *(code.replace(node, '"zeros"') for node in biases),
    )


def _by_hand(code: Code, call: ast.Call, name: str) -> ast.expr | None:
    """An initializer that does not go by the number of inputs; for biases, one that is not 0."""
    node = keyword(call, name)
    value = code.value(node)
    if node is None or value is None:
        return None
    title = value.value if isinstance(value, ast.Constant) else code.name(value.func if isinstance(value, ast.Call) else value)
    snake = _snake(str(title).rpartition(".")[2])
    known = ("zeros",) if name == "bias_initializer" else _FITTING
    return None if snake.startswith(known) else node


def _snake(name: str) -> str:
    """``HeNormal`` as ``he_normal``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() and at else letter.lower() for at, letter in enumerate(name))
