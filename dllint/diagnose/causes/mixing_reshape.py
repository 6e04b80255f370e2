"""A reshape joins numbers of different samples."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_RESHAPES: Final = ("reshape", "view", "flatten", "unflatten")
_MOVES: Final = ("permute", "transpose", "movedim", "swapaxes", "swapdims", "moveaxis", "t")
_KEEPS: Final = ("contiguous", "clone")


class MixingReshape(Hypothesis):
    """The operation that mixes samples is a reshape of a tensor whose first axis is not that of the batch."""

    kind = "axis"
    supports: ClassVar = {"batch cross-talk": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Leave the samples' axis where it is, or bring it to the front, before the reshape."""
        place = case.symptom.place
        code = case.sources.code(place.path) if place is not None else None
        node = code.at(place) if code is not None and place is not None else None
        if code is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        if node.func.attr not in _RESHAPES:
            return
        receiver = node.func.value
        kept = _unmoved(code, _bound(code, receiver))
        if kept is not None:
            text = code.source(node)[len(code.source(receiver)) :].replace(".view(", ".reshape(", 1)
            yield "Reshape without moving the samples' axis", (code.replace(node, f"{kept}{text}"),), 1.0
            return
        text = code.source(node)[len(code.source(receiver)) :].replace(".view(", ".reshape(", 1)
        yield (
            "Bring the samples' axis to the front",
            (code.replace(node, f"{code.source(receiver)}.transpose(0, 1){text}"),),
            0.8,
        )


def _bound(code: Code, node: ast.expr) -> ast.expr:
    """What a name was bound to last before it is used in the same function."""
    if not isinstance(node, ast.Name):
        return node
    scope = code.function(node)
    found = [one for one in code.assignments(node.id) if code.function(one) is scope and one.lineno < node.lineno]
    return max(found, key=lambda one: one.lineno).value if found else node


def _unmoved(code: Code, node: ast.expr) -> str | None:
    """What axes were moved of: ``x`` of ``x.permute(1, 2, 0).contiguous()``; ``None`` if none were."""
    moved = False
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in (*_MOVES, *_KEEPS):
        is_function = code.name(node.func).startswith("torch.")
        moved |= node.func.attr in _MOVES
        if is_function and not node.args:
            return None
        node = node.args[0] if is_function else node.func.value
    return code.source(node) if moved else None
