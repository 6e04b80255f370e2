"""``torch.range``, which has its end, becomes ``torch.arange``, which leaves it out, where the bounds are whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse
from dllint.edit import Edit
from dllint.fixes.places import inner, outer, replacing
from dllint.source.binding import BINDING, bound_names
from dllint.source.document import Document
from dllint.source.walk import walk

_PARAMETERS: Final = ("start", "end", "step")
_OTHERS: Final = frozenset({"out", "dtype", "layout", "device", "requires_grad"})
#: What gives whole numbers of whole numbers.
_WHOLE: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)


def migrate_range(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.range(1, 3)``, of floats that include the end, is ``torch.arange(1, 4, dtype=torch.get_default_dtype())``."""
    node, document = use.site.node, use.site.document
    given = _arguments(call)
    if given is None or not isinstance(node, cst.Attribute) or not all(map(_Whole(document).holds, given.values())):
        return ()
    end, step = given["end"], _number(given["step"]) if "step" in given else 1
    if not step:
        return ()
    module = _text(use, node.value)
    edits = [
        replacing(use.site, *inner(use.site, node.attr), "arange"),
        replacing(use.site, *outer(use.site, end), _moved(use, end, 1 if step > 0 else -1)),
    ]
    if not any(arg.keyword is not None and arg.keyword.value in ("out", "dtype") for arg in call.args):
        stop = outer(use.site, call.args[-1].value)[1]
        edits.append(replacing(use.site, stop, stop, f", dtype={module}.get_default_dtype()"))
    return tuple(edits)


def _arguments(call: cst.Call) -> dict[str, cst.BaseExpression] | None:
    """The bounds and the step that are given; ``None`` if there are others than those that ``arange`` has."""
    given: dict[str, cst.BaseExpression] = {}
    plain = [arg.value for arg in call.args if arg.keyword is None]
    if len(plain) not in range(4):
        return None
    given.update(zip(_PARAMETERS, plain, strict=False))
    for arg in call.args:
        name = arg.keyword.value if arg.keyword is not None else ""
        if name in _PARAMETERS and name not in given:
            given[name] = arg.value
        elif name and name not in _OTHERS:
            return None
    return given if "end" in given else None


def _text(use: SymbolUse, node: cst.CSTNode) -> str:
    return use.site.document.text[slice(*outer(use.site, node))]


def _moved(use: SymbolUse, end: cst.BaseExpression, by: int) -> str:
    """The text of an end plus or minus 1: ``n - 1`` plus 1 is ``n``."""
    value = _number(end)
    if value is not None:
        return str(value + by)
    opposite = cst.Subtract if by > 0 else cst.Add
    if isinstance(end, cst.BinaryOperation) and isinstance(end.operator, opposite) and _number(end.right) == 1 and not end.lpar:
        return _text(use, end.left)
    return f"{_text(use, end)} {'+' if by > 0 else '-'} 1"


def _number(node: cst.BaseExpression) -> int | None:
    """The whole number that is written."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inside = _number(node.expression)
        return -inside if inside is not None else None
    return None


class _Whole:
    """Whether expressions of a document are whole numbers: those that are written, lengths, names that are bound once, and
    what is computed of these."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def holds(self, node: cst.BaseExpression, depth: int = 4) -> bool:
        """Whether an expression is a whole number; names are followed so often."""
        if isinstance(node, cst.Integer):
            return True
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
            return self.holds(node.expression, depth)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _WHOLE):
            return self.holds(node.left, depth) and self.holds(node.right, depth)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "len":
            return not any(True for _ in self._bindings("len"))
        if not isinstance(node, cst.Name) or not depth:
            return False
        values = [*self._bindings(node.value)]
        return len(values) == 1 and values[0] is not None and self.holds(values[0], depth - 1)

    def _bindings(self, name: str) -> Iterator[cst.BaseExpression | None]:
        """What a name is bound to anywhere in the document: an assigned expression, or something else."""
        for statement in self.document.body:
            for node in walk(statement):
                if isinstance(node, cst.Assign):
                    for target in node.targets:
                        is_it = isinstance(target.target, cst.Name)
                        yield from [node.value if is_it else None] * _binds(target.target, name)
                elif _binds_otherwise(node, name):
                    yield None


def _binds(target: cst.CSTNode, name: str) -> bool:
    return name in bound_names(target)


def _binds_otherwise(node: cst.CSTNode, name: str) -> bool:
    if isinstance(node, BINDING) and not isinstance(node, cst.AssignTarget):
        return _binds(node.target, name)
    if isinstance(node, (cst.Param, cst.FunctionDef, cst.ClassDef, cst.NameItem)):
        own = node.name
        return isinstance(own, cst.Name) and own.value == name
    if isinstance(node, cst.AsName):
        return _binds(node.name, name)
    return isinstance(node, cst.ImportAlias) and node.asname is None and node.evaluated_name.partition(".")[0] == name
