"""What binds names in a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

#: Nodes that bind the names of their ``target``; ``as`` binds names, too, and so do definitions, imports and parameters.
BINDING: Final = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr)


def bound_names(target: cst.CSTNode) -> Iterator[str]:
    """The names that a target binds; targets that are attributes or elements bind none."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from bound_names(element.value)
