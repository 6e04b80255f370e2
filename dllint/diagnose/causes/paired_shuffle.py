"""Samples and labels are shuffled differently."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_ORDERS: Final = ("torch.randperm", "numpy.random.permutation")


class PairedShuffle(Hypothesis):
    """The source takes one of two arrays in a random order, and the other as it is, or in an order of its own."""

    kind = "paired-shuffle"
    supports: ClassVar = {
        "accuracy not increasing": 0.95,
        "loss not decreasing": 0.95,
        "no better than baseline": 0.9,
        "gradient noise": 0.9,
        "overfitting": 0.6,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The same order for both."""
        for code in case.codes():
            orders = list(_ordered(code))
            for first in orders:
                for second in orders:
                    if second.statement is not first.statement and code.function(second.call) is code.function(first.call):
                        yield from _second_draw(code, first, second)
            for order in orders:
                yield from _left_as_it_is(case, code, order)


class _Ordered:
    """``x = x[order]``, or ``order`` drawn on the spot; ``call`` draws it."""

    def __init__(self, statement: ast.Assign, call: ast.Call, index: ast.expr, array: str) -> None:
        self.statement, self.call, self.index, self.array = statement, call, index, array

    def draw(self, code: Code) -> str:
        """What is drawn, whatever the array is called: as many numbers as it has samples."""
        names = re.escape(self.array)
        return re.sub(rf"\b{names}\b", "_", code.source(self.call))


def _ordered(code: Code) -> Iterator[_Ordered]:
    for node in ast.walk(code.tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Subscript):
            continue
        index = node.value.slice
        drawn = index if isinstance(index, ast.Call) else _drawn(code, index)
        if drawn is not None and _is_order(code, drawn):
            yield _Ordered(node, drawn, index, code.source(node.value.value))


def _drawn(code: Code, index: ast.expr) -> ast.Call | None:
    """The call whose result a name is bound to."""
    found = [node.value for node in code.assignments(code.source(index)) if node.lineno < index.lineno]
    return found[-1] if found and isinstance(found[-1], ast.Call) else None


def _is_order(code: Code, call: ast.Call) -> bool:
    return code.name(call.func) in _ORDERS or getattr(call.func, "attr", "") == "permutation"


def _second_draw(code: Code, first: _Ordered, second: _Ordered) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """Two arrays with an order of their own each: the second takes that of the first."""
    is_later = first.statement.lineno < second.statement.lineno
    if not is_later or first.call is second.call or first.draw(code) != second.draw(code):
        return
    edits: tuple[Edit, ...] = (code.replace(second.index, code.source(first.index)),)
    if isinstance(first.index, ast.Call):
        edits = (
            code.insert_before(first.statement, f"order = {code.source(first.call)}"),
            code.replace(first.index, "order"),
            code.replace(second.index, "order"),
        )
    yield "Bring both into the same order", edits, 1.0


def _left_as_it_is(case: Case, code: Code, order: _Ordered) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """An array in a random order under its own name, beside one that is used with it and never reordered."""
    target = code.source(order.statement.targets[0])
    if target != order.array or isinstance(order.index, ast.Call):
        return
    reordered = set(_taken(code, order.index))
    for other in _partners(code, target):
        if other not in reordered and any(node.lineno < order.statement.lineno for node in code.assignments(other)):
            line = f"{other} = {other}[{code.source(order.index)}]"
            yield f"Bring `{other}` into the same order", (code.insert_after(order.statement, line),), 1.0


def _taken(code: Code, index: ast.expr) -> Iterator[str]:
    """The names that are bound to something in an order."""
    order = code.source(index)
    taking = (node for node in ast.walk(code.tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript))
    for node in taking:
        if isinstance(node.value, ast.Subscript) and code.source(node.value.slice) == order:
            yield code.source(node.targets[0])


def _partners(code: Code, name: str) -> Iterator[str]:
    """The names that stand beside a name as arguments of a data set, or in a zip."""
    for call in code.calls():
        if code.name(call.func).rpartition(".")[2] in ("TensorDataset", "zip"):
            names = [code.source(argument) for argument in call.args if isinstance(argument, ast.Name)]
            if name in names:
                yield from (other for other in names if other != name)
