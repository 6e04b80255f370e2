"""Activations at the end of models, as the source writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.edit import Edit

_FUNCTIONS: Final = {"softmax": "Softmax", "log_softmax": "LogSoftmax", "sigmoid": "Sigmoid", "relu": "ReLU", "tanh": "Tanh"}


def without_last(case: Case, activation: str) -> Iterator[tuple[Edit, ...]]:
    """The edits that take an activation (named as a layer) away from where models end with it."""
    for code in case.codes():
        for call in code.calls():
            name = code.name(call.func)
            short = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
            if short == activation and name.startswith("torch.nn."):
                edits = _last_of_sequence(code, call)
            elif _FUNCTIONS.get(short) == activation:
                edits = _returned(code, call)
            else:
                edits = ()
            if edits:
                yield edits


def _last_of_sequence(code: Code, call: ast.Call) -> tuple[Edit, ...]:
    """The edit that takes a layer from the end of a ``Sequential``."""
    around = code.parent(call)
    if not isinstance(around, ast.Call) or code.name(around.func) != "torch.nn.Sequential" or around.args[-1] is not call:
        return ()
    if len(around.args) < 2:
        return ()
    return (Edit(code.path, code.span(around.args[-2])[1], code.span(call)[1], ""),)


def _returned(code: Code, call: ast.Call) -> tuple[Edit, ...]:
    """The edit that takes an activation from what a forward pass returns."""
    function = code.function(call)
    if not isinstance(function, ast.FunctionDef) or function.name != "forward" or not isinstance(code.parent(call), ast.Return):
        return ()
    is_method = not code.name(call.func).startswith("torch") and isinstance(call.func, ast.Attribute)
    kept = call.func.value if is_method and isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    return (code.replace(call, code.source(kept)),) if kept is not None else ()
