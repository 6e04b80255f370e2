"""Objects that are not known and go by one name: members of containers that are not known may be one value of the analysis."""

from __future__ import annotations

import re

import libcst as cst

from dllint.ir.program import Event


def is_one_object(first: Event, one: cst.CSTNode | None, later: Event, other: cst.CSTNode | None) -> bool:
    """Whether two expressions, in two events of one function, the first one before the other, are the same name or dotted name,
    and nothing between them binds it anew."""
    name = _dotted(one)
    if not name or name != _dotted(other) or first.scope != later.scope:
        return False
    document = first.site.document
    if document is None or document is not later.site.document:
        return False
    between = document.text[document.extent(first.site.statement).end : document.extent(later.site.statement).start]
    root = re.escape(name.partition(".")[0])
    return re.search(rf"(?<![\w.]){root}\b(?:\.\w+)*\s*(?:,[^\n=]*)?=(?!=)|\b(?:for|as)\b[^\n]*\b{root}\b", between) is None


def receiver(node: cst.CSTNode | None) -> cst.CSTNode | None:
    """What a method is called on, if a node is such a call."""
    function = getattr(node, "func", None)
    return function.value if isinstance(function, cst.Attribute) else None


def _dotted(node: cst.CSTNode | None) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join([node.value, *reversed(parts)]) if isinstance(node, cst.Name) else ""
