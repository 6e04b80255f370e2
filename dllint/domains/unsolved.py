"""Sizes that known ones decide, without a formula for them.

Which of two sizes a run has depends on the branch that it takes, what ``-1`` stands for on a division that need not be without
remainder. Such a size is known by its name as a count of data is, and like one it is never compared with another.
"""

from __future__ import annotations

from collections.abc import Iterable

from dllint.domains.dim import Dim, DimExpr, counted, is_known, opaque


def unsolved(name: str, parts: Iterable[Dim], lower: int = 0) -> DimExpr:
    """A fresh size that depends on ``parts`` alone: opaque, if one of them depends on what is not modelled."""
    return counted(name, lower) if all(map(is_known, parts)) else opaque(name, lower)
