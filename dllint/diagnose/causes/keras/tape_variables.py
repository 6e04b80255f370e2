"""A loop around a tape leaves variables of the model out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.optimizer_parameters import OptimizerParameters
from dllint.edit import Edit

#: Called things in the block of a tape that are tried for the model.
_MOST_MODELS = 2


class TapeVariables(OptimizerParameters):
    """Gradients are asked of some variables only, while others could be trained and no optimizer has them."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Those of the model that the tape has watched, wherever the function names the variables."""
        if not is_keras(case) or case.symptom.evidence.get("cause") != "not in optimizer":
            return
        for code in case.files():
            for call in code.calls():
                if not isinstance(call.func, ast.Attribute) or call.func.attr != "gradient":
                    continue
                sources = call.args[1] if len(call.args) > 1 else keyword(call, "sources")
                for index, model in enumerate(_models(code, call)) if sources is not None else ():
                    text = f"{model}.trainable_variables"
                    edits = tuple(code.replace(node, text) for node in _same(code, sources))
                    yield f"Train all variables of `{model}`", edits, 1.0 - 0.02 * index


def _models(code: Code, gradient: ast.Call) -> list[str]:
    """The names that are called with data in the block of a tape, in the function that asks for the gradient."""
    found: dict[str, None] = {}
    for node in ast.walk(code.function(gradient)):
        if isinstance(node, ast.With) and any("GradientTape" in code.source(item.context_expr) for item in node.items):
            for call in code.calls(node):
                is_plain = isinstance(call.func, ast.Name) or (isinstance(call.func, ast.Attribute) and _is_own(call.func))
                if is_plain and call.args and not code.name(call.func).startswith(("tensorflow.", "keras.")):
                    found[code.source(call.func)] = None
    return list(found)[:_MOST_MODELS]


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _same(code: Code, sources: ast.expr | None) -> Iterator[ast.expr]:
    """The expression of the variables, wherever the function reads it; nothing inside of another one of them."""
    if sources is None:
        return
    text = code.source(sources)
    for node in ast.walk(code.function(sources)):
        if isinstance(node, ast.Name | ast.Attribute | ast.BinOp | ast.List) and code.source(node) == text:
            is_read = not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            if is_read:
                yield node
