"""Whether the text of a file keeps, computes or writes gradients itself."""

from __future__ import annotations

import re
from typing import Final

#: Gradients that are cleared, written or kept by hand: what is only looked at (``p.grad is None``, ``p.grad.norm()``) is none.
_BY_HAND: Final = re.compile(
    r"(?<!autograd)\.grad\b(?!\s+is\b|(?:\s*\.\s*(?:data|detach\(\)))*\s*\.\s*(?:norm|abs|mean|sum|max|min|std|var|cpu|numpy|item"
    r"|shape|size|isnan|isinf|any|all|view|flatten|ravel|reshape)\b)(?![\"'])"
)
#: What only clears a gradient: nothing is computed, kept or applied by it.
_CLEARED: Final = re.compile(r"\.grad(?:\s*=\s*None\b(?!\s*if\b)|(?:\.data)?\.(?:zero_|detach_)\(\))")
#: Lines that are comments.
_COMMENTS: Final = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


def writes_gradients(text: str) -> bool:
    """Whether a text writes ``.grad`` or keeps it."""
    return ".grad" in text and _BY_HAND.search(_COMMENTS.sub("", text)) is not None


def uses_gradients(text: str) -> bool:
    """Whether a text writes ``.grad`` or keeps it, other than to clear it."""
    return writes_gradients(text) and writes_gradients(_CLEARED.sub("", text))
