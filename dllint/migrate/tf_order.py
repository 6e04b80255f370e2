"""Calls of TensorFlow before release 1.0, whose arguments stood in another order, where their values show it."""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse
from dllint.edit import Edit
from dllint.fixes.places import outer, replacing

#: Functions that took logits and labels by position, which every later release refuses.
_LOSSES: Final = frozenset({
    "nn.softmax_cross_entropy_with_logits", "nn.sparse_softmax_cross_entropy_with_logits",
    "nn.sigmoid_cross_entropy_with_logits",
})  # fmt: skip


def reordered(use: SymbolUse, path: str, call: cst.Call | None) -> tuple[Edit, ...]:
    """The arguments in today's order; nothing if they do not show that they stand in the old one."""
    if call is None or any(arg.star or (arg.keyword is not None and arg.keyword.value != "name") for arg in call.args):
        return ()
    plain = [arg.value for arg in call.args if arg.keyword is None]
    if path == "concat" and len(plain) == 2 and is_number(plain[0]) and not is_number(plain[1]):
        return _swapped(use, plain[0], plain[1])
    if path == "split" and len(plain) == 3 and is_number(plain[0]) and is_number(plain[1]) and not is_number(plain[2]):
        return _swapped(use, plain[0], plain[2])
    if path in _LOSSES and len(plain) == 2:
        starts = [outer(use.site, value)[0] for value in plain]
        return tuple(
            replacing(use.site, start, start, f"{name}=") for start, name in zip(starts, ("logits", "labels"), strict=True)
        )
    return ()


def is_number(node: cst.BaseExpression) -> bool:
    """Whether an expression is a whole number."""
    return isinstance(node, cst.Integer) or (isinstance(node, cst.UnaryOperation) and isinstance(node.expression, cst.Integer))


def _swapped(use: SymbolUse, first: cst.BaseExpression, second: cst.BaseExpression) -> tuple[Edit, ...]:
    text = use.site.document.text
    (start, end), (begin, stop) = outer(use.site, first), outer(use.site, second)
    return replacing(use.site, start, end, text[begin:stop]), replacing(use.site, begin, stop, text[start:end])
