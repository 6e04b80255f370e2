"""Classes are weighed by how frequent they are instead of how rare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.causes.makers import maker
from dllint.edit import Edit

_OF_LOSSES: Final = ("weight", "pos_weight")
_OF_FIT: Final = "class_weight"
_LOSSES: Final = (
    "CrossEntropyLoss",
    "NLLLoss",
    "BCEWithLogitsLoss",
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy_with_logits",
)


class WeightDirection(Hypothesis):
    """The weights that a loss is given, or that ``fit`` is."""

    kind = "class-weight"
    supports: ClassVar = {"weights of frequent classes": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Their reciprocals, where the weights are made."""
        message = "Take the reciprocals of the weights, so that rare classes count more"
        for code in case.files():
            for call in code.calls():
                edit = _reciprocal_of_fit(case, code, call) or _reciprocal(case, code, call)
                if edit is not None:
                    yield message, (edit,), 1.0


def _reciprocal(case: Case, code: Code, call: ast.Call) -> Edit | None:
    """That of a tensor."""
    given = keyword(call, *_OF_LOSSES) if code.name(call.func).rpartition(".")[2] in _LOSSES else None
    if given is None:
        return None
    home, made = maker(case.files(), code, given)
    return home.replace(made, f"1 / {_operand(home, made)}")


def _reciprocal_of_fit(case: Case, code: Code, call: ast.Call) -> Edit | None:
    """That of a mapping."""
    given = keyword(call, _OF_FIT) if isinstance(call.func, ast.Attribute) and call.func.attr == "fit" else None
    if given is None:
        return None
    home, made = maker(case.files(), code, given)
    return home.replace(made, f"{{label: 1 / weight for label, weight in {_operand(home, made)}.items()}}")


def _operand(code: Code, node: ast.expr) -> str:
    """The text of an expression as an operand."""
    is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.Dict | ast.DictComp)
    return code.source(node) if is_plain else f"({code.source(node)})"
