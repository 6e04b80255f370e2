"""The names that a piece of source mentions, without executing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from dllint.source.memo import of_node
from dllint.source.walk import children


def speaks_of(text: str, word: str) -> bool:
    """Whether a text holds a word."""
    return word in text


@of_node
def mentioned(node: cst.CSTNode) -> set[str]:
    """All names in a node, those of attributes and keywords left out."""
    return _found(node, cst.Name, lambda name: str(name.value))


def methods_called(node: cst.CSTNode) -> set[str]:
    """The names of all methods (and functions of modules) that are called in a node."""
    return _found(node, cst.Call, lambda call: call.func.attr.value if isinstance(call.func, cst.Attribute) else "")


def _found(node: cst.CSTNode, wanted: type[cst.CSTNode], name_of: Callable[[Any], str]) -> set[str]:
    out: set[str] = set()
    todo = [node]
    while todo:
        current = todo.pop()
        if current.__class__ is wanted:
            out.add(name_of(current))
        todo += [current.value] if current.__class__ is cst.Attribute else children(current)
    return out
