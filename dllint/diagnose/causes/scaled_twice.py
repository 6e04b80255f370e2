"""Pixels are divided by 255 in two places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_PIXELS: Final = 255


class ScaledTwice(Hypothesis):
    """The source divides by 255 what a layer or a transform divides, too."""

    kind = "scaled-twice"
    supports: ClassVar = {"inputs scaled twice": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Leave out a division, or the layer that scales: a model that scales its inputs itself may be used elsewhere."""
        for code in case.files():
            for edit in _divisions(code):
                yield "Do not divide by 255 what is divided already", (edit,), 1.0
        layer = case.run.layer(case.symptom.layer)
        spot = case.spot(layer.place) if layer is not None and layer.kind == "Rescaling" else None
        without = _without(spot) if spot is not None else None
        if without is not None:
            yield "Leave out the layer that scales the inputs", (without,), 0.9


def _divisions(code: Code) -> Iterator[Edit]:
    for node in ast.walk(code.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and number(node.right) == _PIXELS:
            # ``1 / 255`` is a factor of its own.
            if number(node.left) is None:
                yield code.replace(node, code.source(node.left))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and number(node.value) == _PIXELS:
            yield code.remove(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _divides(node, node.func):
            yield code.replace(node, code.source(node.func.value))


def _divides(call: ast.Call, method: ast.Attribute) -> bool:
    return method.attr in ("div", "div_") and len(call.args) == 1 and number(call.args[0]) == _PIXELS


def _without(spot: Spot) -> Edit | None:
    """The edit that takes a layer out of a list, an ``add``, or what it is called on."""
    code, call = spot.code, spot.call
    outer = code.parent(call)
    if isinstance(outer, ast.List) and len(outer.elts) > 1:
        at = next(at for at, item in enumerate(outer.elts) if item is call)
        if at + 1 < len(outer.elts):
            return Edit(code.path, code.span(call)[0], code.span(outer.elts[at + 1])[0], "")
        return Edit(code.path, code.span(outer.elts[at - 1])[1], code.span(call)[1], "")
    if isinstance(outer, ast.Call) and outer.func is call and outer.args:
        return code.replace(outer, code.source(outer.args[0]))
    statement = code.statement(call)
    is_added = isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute) and outer.func.attr == "add"
    return code.remove(statement) if is_added and isinstance(statement, ast.Expr) else None
