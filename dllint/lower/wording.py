"""Short source text of expressions, for conditions and names of values."""

from __future__ import annotations

from typing import Any

import libcst as cst

_EMPTY = cst.Module([])
_LONGEST = 60


def text_of(node: Any) -> str:
    """The source text of an expression on one line, cut if it is long."""
    text = " ".join(_EMPTY.code_for_node(node).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
